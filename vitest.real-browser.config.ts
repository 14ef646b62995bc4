import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

/** The suite that needs a real Chromium: `ZOTUI_CHROMIUM` names it. Without one each test is skipped. */
export default defineConfig({
  test: { ...common, include: ['test/real-browser/**/*.test.ts'], maxWorkers: 2 },
})
