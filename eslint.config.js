// Lint rules that earn their place; the floors and bans of the architecture are test/tidy.test.ts.
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules/', 'schemas/generated/', 'data/', '**/*.mjs', '**/*.js'] },
  ...tseslint.configs.recommended,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      // node:test's own promises are awaited by its runner.
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'describe', 'it', 'suite'] }] }],
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-console': 'error',
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
    },
  },
  // Slots and arenas are classes: a method of theirs passed on by itself has lost its object.
  { files: ['processors/**', 'stores/**'], rules: { '@typescript-eslint/unbound-method': 'error' } },
);
