import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

/** The suite that runs containers of a real podman. Without one each test is skipped. */
export default defineConfig({
  test: { ...common, include: ['test/real-containers/**/*.test.ts'], maxWorkers: 2 },
})
