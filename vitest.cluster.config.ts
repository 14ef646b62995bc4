import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

/** The suite that needs a real API server of Kubernetes: `ZOTUI_CLUSTER` names the folder with it. Without one each test is skipped. */
export default defineConfig({
  test: { ...common, include: ['test/real-cluster/**/*.test.ts'], maxWorkers: 1, hookTimeout: 120_000 },
})
