import process from 'node:process'
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
    // Stories run against real clocks, and a shared machine may stop for a second: there one is tried again. At a desk a
    // test that fails now and then should be seen.
    retry: process.env['CI'] ? 2 : 0,
  },
})
