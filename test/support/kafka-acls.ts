// Takes a right from a user of the test broker, and changes passwords. Where a resource has no rule everybody may do everything with it.
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import * as alterUserScramCredentialsV0 from '../../node_modules/@platformatic/kafka/dist/apis/admin/alter-user-scram-credentials-v0.js';
import * as createAclsV3 from '../../node_modules/@platformatic/kafka/dist/apis/admin/create-acls-v3.js';
import * as describeAclsV3 from '../../node_modules/@platformatic/kafka/dist/apis/admin/describe-acls-v3.js';
import { clientSettings } from '../../topology/log/kafka/client-properties.ts';
import { Cluster } from '../../topology/log/kafka/cluster.ts';

const RESOURCES = { topic: 2, group: 3, cluster: 4, 'transactional-id': 5 } as const;
const OPERATIONS = { ALL: 2, READ: 3, WRITE: 4, CREATE: 5, DESCRIBE: 8, DESCRIBE_CONFIGS: 10, IDEMPOTENT_WRITE: 12 } as const;
const PERMISSIONS = { deny: 2, allow: 3 } as const;
const LITERAL = 3;
const ANY = 1;

/** `name`: of the cluster `kafka-cluster`. */
export interface Right { readonly user: string; readonly resource: keyof typeof RESOURCES; readonly name: string; readonly operation: keyof typeof OPERATIONS }

/** Everything else the user may still do with it, and everybody else everything. Resolves once the broker goes by it. */
export async function withhold(bootstrap: string, { user, resource, name, operation }: Right): Promise<void> {
  const cluster = new Cluster([bootstrap], clientSettings(undefined));
  try {
    const rule = (who: string, permission: keyof typeof PERMISSIONS, of: keyof typeof OPERATIONS): object => ({
      resourceType: RESOURCES[resource], resourceName: name, resourcePatternType: LITERAL, principal: `User:${who}`, host: '*', operation: OPERATIONS[of], permissionType: PERMISSIONS[permission],
    });
    await cluster.call(await cluster.any(), createAclsV3, 'CreateAcls', name, [rule('*', 'allow', 'ALL'), rule(user, 'deny', operation)] as never);
    const filter = { resourceType: RESOURCES[resource], resourceName: name, resourcePatternType: LITERAL, principal: `User:${user}`, host: null, operation: ANY, permissionType: PERMISSIONS.deny };
    for (;;) {
      const { resources } = await cluster.call(await cluster.any(), describeAclsV3, 'DescribeAcls', name, filter as never);
      if (resources.length > 0) return;
      await setTimeout(20);
    }
  } finally {
    cluster.close();
  }
}

/** Of SCRAM-SHA-256; makes the user where there is none. Connections that stand go on until they name themselves anew. */
export async function setPassword(bootstrap: string, name: string, password: string): Promise<void> {
  const cluster = new Cluster([bootstrap], clientSettings(undefined));
  try {
    const [salt, iterations, mechanism] = [randomBytes(16), 4096, 1];
    const credential = { name, mechanism, iterations, salt, saltedPassword: pbkdf2Sync(password, salt, iterations, 32, 'sha256') };
    await cluster.call(await cluster.any(), alterUserScramCredentialsV0, 'AlterUserScramCredentials', name, [], [credential]);
  } finally {
    cluster.close();
  }
}
