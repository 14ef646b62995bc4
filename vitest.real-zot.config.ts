import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

/** The suite that needs a real zot, named by `ZOTUI_ZOT`; without it every test is skipped. */
export default defineConfig({
  test: { ...common, include: ['test/real-zot/**/*.test.ts'], maxWorkers: 2 },
})
