import process from 'node:process'
import { defineConfig } from 'vitest/config'

/** The suite that needs a real zot, named by `ZOTUI_ZOT`; without it every test is skipped. */
export default defineConfig({
  test: {
    include: ['test/real-zot/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Stories run against real clocks, and a shared machine may stop for a second: there one is tried again. At a desk a
    // test that fails now and then should be seen.
    retry: process.env['CI'] ? 2 : 0,
  },
})
