// Why there is no connection, in the operator's words: whatever the system or TLS calls it, what is wrong and what to look at.

/** Of an error of a socket. Total: what has no words of ours keeps its own, with its code. */
export function whyLost(error: NodeJS.ErrnoException, isTls: boolean): string {
  if (isTls && error.message.includes('before secure TLS connection')) return 'no TLS handshake; is this a PLAINTEXT port?';
  const code = error.code ?? '';
  // It names the names of the certificate.
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `its certificate is for another name (${error.message}); ssl.endpoint.identification.algorithm= turns the check off`;
  return WHY.get(code) ?? (error.message.includes(code) ? error.message : [error.message, code && `(${code})`].join(' ').trim());
}

export const CLOSED = 'the broker closed the connection; it is being stopped, or lets this client not in';

const RESET = 'connection reset; the broker was stopped, or something before it (a proxy, a firewall) cut the connection';
export function noAnswer(withinMs: number): string {
  return `no answer within ${withinMs} ms; the broker stands still, or something before it swallows what is sent`;
}

/** The other end has ended it, and not time or the way to it. */
export const ENDED_THERE: ReadonlySet<string> = new Set([CLOSED, RESET]);

const NO_ANSWER = 'the host does not answer; check host, port and firewall';
const NO_ROUTE = 'there is no way to the host; check address and network';
const UNKNOWN_HOST = 'the host is not known (a broker gives its own address, advertised.listeners: it must resolve here)';
const NO_FILES = 'this process has too many open files; raise its limit (ulimit -n)';
const untrusted = (code: string): string => `its certificate is not trusted (${code}); give the CA as ssl.truststore.location (PEM) or ssl.ca.location`;
const NO_CERTIFICATE = 'it wants a certificate of this client, or takes not the one it has; give it as ssl.keystore.location';

const WHY: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused; is a broker listening there?'],
  ...['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ENOTCONN', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END', 'ERR_SOCKET_CLOSED'].map(code => [code, RESET] as const),
  ...['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'].map(code => [code, NO_ANSWER] as const),
  ['UND_ERR_SOCKET', RESET],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL'].map(code => [code, NO_ROUTE] as const),
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'EAI_FAIL'].map(code => [code, UNKNOWN_HOST] as const),
  ...['EMFILE', 'ENFILE'].map(code => [code, NO_FILES] as const),
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_GET_ISSUER_CERT'].map(code => [code, untrusted(code)] as const),
  ['CERT_HAS_EXPIRED', 'its certificate has expired; give the broker a new one, and look at the clock of this machine'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet; look at the clocks of the broker and of this machine'],
  ...['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'].map(code => [code, 'no TLS handshake; is this a PLAINTEXT port?'] as const),
  ...['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REQUIRED'].map(code => [code, NO_CERTIFICATE] as const),
]);
