#!/usr/bin/env node
// Starts paritas. Plain JavaScript, so that an older Node, which cannot read the TypeScript behind it, is told what it lacks; and so that
// what Node compiles is kept between starts (a third of a second each).
import module from 'node:module';

const NEEDED = [24, 12];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `paritas: needs Node.js ${NEEDED.join('.')} or later, this is ${process.version}. Run it as "npm start" or "npx paritas" in its folder: `
      + 'those bring their own Node after "npm ci".\n',
  );
  process.exit(2);
}
// Before anything else is loaded: it is all loaded again.
if (process.argv[2] === 'run') await import('./give-back.mjs');
module.enableCompileCache();
/** Messages of zod in fifty languages, a file each, none of which is ever asked for: loading them took a sixth of a start. English is a file of its own. */
const NO_LOCALES = { url: 'data:text/javascript,', format: 'module', shortCircuit: true };
// Nearly all imports name a file beside the one that imports. To find it, its real path and its package took Node a sixth of a start.
module.registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '../locales/index.js' && context.parentURL?.includes('/node_modules/zod/')) return NO_LOCALES;
    const isBeside = specifier.startsWith('.') && context.parentURL !== undefined && context.conditions.includes('import');
    const format = specifier.endsWith('.ts') ? { format: 'module-typescript' } : specifier.endsWith('.js') ? {} : undefined;
    if (!isBeside || format === undefined) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, shortCircuit: true, ...format };
  },
});
await import('./main.ts');
