import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

// What has a long way (`test/helpers/length.ts`), on that way.
export default defineConfig({
  test: {
    ...common,
    include: [
      'test/chaos/**/*.test.ts',
      'test/stories/kill.test.ts',
      'test/conversation/{reduce.properties,inherited-names}.test.ts',
      'test/agents/inherited-names.test.ts',
      'test/storage/sessions/{session-writer,inherited-names}.test.ts',
      'test/text/sanitize.test.ts',
      'test/agents/zot/frame.test.ts',
      'test/platform/git/{every-option,denied-contents}.test.ts',
      // Their properties are tried with a part of the cases otherwise: `aPartOf`.
      'test/{components,composer,diff,markdown,terminal,tools,viewer}/*.test.{ts,tsx}',
      'test/{components/screen/{chunking,live-zone},terminal/output/frames,terminal/output/resizing,text/lines/wrap,transcript/timeline}.test.ts',
    ],
    maxWorkers: 2,
    env: { ZOTUI_TEST_LONG: '1' },
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
  },
})
