import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

/** The suite that needs real agents, installed in the folder that `ZOTUI_AGENTS` names; those that are not there are skipped. */
export default defineConfig({
  test: { ...common, include: ['test/real-agents/**/*.test.ts'], maxWorkers: 2 },
})
