import { defineConfig } from 'vitest/config'
import short from './vitest.config.ts'

// What has a long way (`test/helpers/length.ts`), on that way.
export default defineConfig({
  ...short,
  test: {
    ...short.test,
    include: [
      'test/chaos/**/*.test.ts',
      'test/stories/kill.test.ts',
      'test/chat/reduce.properties.test.ts',
      'test/session/log.test.ts',
      'test/text/sanitize.test.ts',
      'test/zot/frame.test.ts',
    ],
    env: { ZOTUI_TEST_LONG: '1' },
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
  },
})
