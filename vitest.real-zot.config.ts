import { defineConfig } from 'vitest/config'

/** The suite that needs a real zot, named by `ZOTUI_ZOT`; without it every test is skipped. */
export default defineConfig({
  test: {
    include: ['test/real-zot/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
