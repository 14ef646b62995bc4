import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { codeBlocksOf } from '../../../src/markdown/blocks/code-blocks.ts'

const codes = (text: string): string[] => codeBlocksOf(text).map(code => code.text)

describe('the code of a message is exactly what was written', () => {
  test.each<[string, string, string[]]>([
    ['none', 'just `text`', []],
    ['a fence', 'a\n\n```ts\none\n\n  two  \n```\nb', ['one\n\n  two  ']],
    ['two, one below the other', '```\na\n```\n```\nb\n```', ['a', 'b']],
    ['in a list', '1. a\n\n   ```sh\n   one\n     two\n   ```', ['one\n  two']],
    ['in a quote', '> ```\n> one\n>   two\n> ```', ['one\n  two']],
    ['tabs', '```\n\tone\n\t\ttwo\n```', ['\tone\n\t\ttwo']],
    ['behind a tab in a list', '-\t```\n\tone\n\t\ttwo\n\t```', ['one\n\ttwo']],
    ['indented', 'a\n\n    one\n\n      two\n\nb', ['one\n\n  two']],
    ['not closed', '```\none\ntwo', ['one\ntwo']],
    ['control characters', '```\n\u001B[31mred\u202E\n```', ['\u001B[31mred\u202E']],
    ['other line ends', '```\r\none\r\ntwo\r\n```\r\n', ['one\ntwo']],
    ['a very long line', `\`\`\`\n${'x y'.repeat(20_000)}\nend\n\`\`\``, [`${'x y'.repeat(20_000)}\nend`]],
    ['an empty one is none', '```\n```', []],
  ])('%s', (_, text, wanted) => expect(codes(text)).toEqual(wanted))
})

test('the text around code blocks is the rest of the lines', () => {
  const lines = 'a\n\n```ts\none\n```\n\nb\n~~~\ntwo\n~~~\nc'.split('\n')
  const blocks = codeBlocksOf(lines.join('\n'))
  expect(blocks.map(({ language }) => language)).toEqual(['ts', ''])
  expect(blocks.map(({ from, to }) => lines.slice(from, to))).toEqual([
    ['```ts', 'one', '```'],
    ['~~~', 'two', '~~~'],
  ])
})

test('a fence gives its exact content back', () => {
  const line = fc.string({ unit: 'binary', maxLength: 12 }).filter(text => !/[\r\n]|^\s*`{4,}\s*$/.test(text))
  const property = fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), lines => {
    expect(codes(`before\n\n\`\`\`\`\n${lines.join('\n')}\n\`\`\`\`\nafter`)).toEqual([lines.join('\n')])
  })
  fc.assert(property)
})
