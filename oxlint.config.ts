import { defineConfig } from 'oxlint'
import { boundaries } from './scripts/lint/boundaries.ts'

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'oxc', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['**/*.gen.ts', '**/dist/**'],
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-type-imports': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    eqeqeq: 'error',
    'no-console': 'error',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'no-await-in-loop': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-useless-undefined': 'off',
    'promise/always-return': 'off',
    'promise/prefer-await-to-then': 'off',
    'import/no-unassigned-import': 'off',
    'vitest/require-mock-type-parameters': 'off',
    'vitest/no-conditional-tests': 'off',
  },
  overrides: [
    {
      files: ['scripts/**', 'bench/**', '**/scripts/**', 'cli/**', 'api/src/stack/**'],
      rules: { 'no-console': 'off' },
    },
    {
      files: ['dashboard/**', 'admin/**', 'theme/**'],
      plugins: ['typescript', 'unicorn', 'import', 'oxc', 'promise', 'vitest', 'react', 'jsx-a11y'],
      rules: {
        'react/react-in-jsx-scope': 'off',
        'react/jsx-filename-extension': 'off',
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
      },
    },
    {
      // Messages between threads, which have no origin, and not between windows.
      files: ['dnsd/**'],
      rules: { 'unicorn/require-post-message-target-origin': 'off' },
    },
    ...boundaries,
  ],
})
