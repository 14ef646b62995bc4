import { describe, expect, test } from 'vitest'
import type { Content } from '../../src/agent/event.ts'
import { parseBashResult, resultText } from '../../src/tools/result.ts'

describe('the text of a bash result', () => {
  test.each([
    [
      'plain',
      '$ ls\n\na\nb\n\n[exit 0]  Took 0.3s',
      { output: 'a\nb', exitCode: 0, duration: '0.3s', fullOutput: null },
    ],
    ['no output', '$ true\n\n[exit 0]  Took 0.0s', { output: '', exitCode: 0, duration: '0.0s', fullOutput: null }],
    ['failed', '$ false\n\n[exit 1]  Took 1m5s', { output: '', exitCode: 1, duration: '1m5s', fullOutput: null }],
    ['killed', '$ x\n\ngo\n\n[exit -1]  Took 2h3m', { output: 'go', exitCode: -1, duration: '2h3m', fullOutput: null }],
    [
      'cut',
      '$ yes\n\ny\ny\n... [truncated at 2000 lines]\n\n[exit 0] (full output: /tmp/zot 1/out (2).log)  Took 2.0s',
      {
        output: 'y\ny\n... [truncated at 2000 lines]',
        exitCode: 0,
        duration: '2.0s',
        fullOutput: '/tmp/zot 1/out (2).log',
      },
    ],
    [
      'output that looks like a footer',
      '$ x\n\n[exit 7]  Took 9s\n\n[exit 0]  Took 0.1s',
      { output: '[exit 7]  Took 9s', exitCode: 0, duration: '0.1s', fullOutput: null },
    ],
    [
      'empty lines within the output',
      '$ x\n\na\n\n\nb\n\n[exit 0]  Took 0.1s',
      { output: 'a\n\n\nb', exitCode: 0, duration: '0.1s', fullOutput: null },
    ],
    [
      'a command of several lines',
      '$ cat <<E\none\nE\n\none\n\n[exit 0]  Took 0.1s',
      { output: 'one', exitCode: 0, duration: '0.1s', fullOutput: null },
    ],
  ])('%s', (_what, text, result) => {
    expect(parseBashResult(text)).toEqual(result)
  })

  test.each([
    ['nothing', ''],
    ['an error before the start', 'aborted: start: context canceled'],
    ['one space too few', '$ x\n\n[exit 0] Took 0.1s'],
    ['text behind the footer', '$ x\n\n[exit 0]  Took 0.1s\n'],
    ['invalid arguments', 'invalid args: unexpected end of JSON input'],
  ])('%s is no such result', (_what, text) => {
    expect(parseBashResult(text)).toBeNull()
  })
})

test.each<[content: Content[], text: string | RegExp]>([
  [[], /^$/],
  [
    [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
    'a\nb',
  ],
  [[{ type: 'image', mimeType: 'image/png', bytes: 10 }], /^\[image.*png.* 10 .*\]$/],
  [[{ type: 'image', mimeType: '', bytes: 0 }], /^\[image.*unknown kind.* 0 .*\]$/],
])('the text of %j', (content, text) => {
  expect(resultText(content)).toMatch(text)
})
