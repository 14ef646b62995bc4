import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    // These need a real zot: vitest.real-zot.config.ts.
    exclude: [...configDefaults.exclude, 'test/real-zot/**'],
    // A test that waits has a deadline of its own that prints what it saw; this one only ends what has none.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The stories run real programs; more of them at once than cores only makes each one slow.
    maxWorkers: 2,
  },
})
