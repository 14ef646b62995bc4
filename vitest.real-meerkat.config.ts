import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

/** The suite that needs a real Meerkat: `ZOTUI_RKAT_RPC` names its `rkat-rpc`. Without it each test is skipped. */
export default defineConfig({
  test: { ...common, include: ['test/real-meerkat/**/*.test.ts'], maxWorkers: 2 },
})
