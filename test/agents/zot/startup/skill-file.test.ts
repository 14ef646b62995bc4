import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSkill } from '../../../../src/agents/zot/startup/skill-file.ts'

const file = (header: string, body = 'Do it.') => `---\n${header}\n---\n\n${body}\n`

describe('a SKILL.md', () => {
  test('has a name, a description and instructions', () => {
    const text = file('name: review\ndescription: "Looks at a change."\nallowed-tools: [read]', '# Review\n\nLook.')
    expect(parseSkill(text)).toEqual({
      name: 'review',
      description: 'Looks at a change.',
      body: '# Review\n\nLook.',
      isForPersonOnly: false,
      note: null,
    })
  })

  test.each([
    ['single quotes', "name: 'a b'", 'a b'],
    ['a lone quote', 'name: "a', '"a'],
    ['blanks around the key', 'name : x', 'x'],
    ['the last of two', 'name: x\nname: y', 'y'],
    ['a colon in the value', 'name: a:b', 'a:b'],
    ['Windows line ends', 'name: x\r', 'x'],
    ['what is indented is of something else', 'permissions:\n  name: x', ''],
    ['a comment', '# name: x', ''],
    ['a value in the next line', 'name:\n  x', ''],
  ])('its name: %s', (_what, header, name) => expect(parseSkill(file(header)).name).toBe(name))

  test.each([
    ['nothing', '', 'is empty'],
    ['text alone', 'Do it.', 'has no header'],
    ['an unclosed header', '---\nname: x\n', 'unclosed header'],
    ['a byte order mark', `\u{FEFF}${file('name: x\ndescription: y')}`, 'byte order mark'],
    ['no description', file('name: x'), 'no description'],
    ['a folded description', file('name: x\ndescription: >-\n  over\n  lines'), 'reads only the ">-"'],
    ['a kept description', file('name: x\ndescription: |\n  over\n  lines'), 'reads only the "|"'],
  ])('what is odd: %s', (_what, text, words) => expect(parseSkill(text).note).toContain(words))

  test('may be callable by a user only', () => {
    expect(parseSkill(file('description: x\ndisable-model-invocation: True')).isForPersonOnly).toBe(true)
    expect(parseSkill(file('description: x\ndisable-model-invocation: false')).isForPersonOnly).toBe(false)
  })

  test('without a header is all instructions', () => {
    const plain = fc.string({ unit: 'binary' }).filter(text => !text.trimStart().startsWith('---'))
    fc.assert(
      fc.property(plain, text => {
        expect(parseSkill(text)).toMatchObject({ name: '', description: '', body: text.trim() })
      }),
    )
  })

  test('reads back unchanged, whatever its text is', () => {
    const line = fc.string({ unit: 'grapheme' }).map(text => text.replaceAll(/[\r\n]/g, '').trim())
    const value = line.filter(text => !/^["']/.test(text))
    fc.assert(
      fc.property(value, value, fc.string({ unit: 'grapheme' }), (name, description, body) => {
        const read = parseSkill(`---\nname: ${name}\ndescription: "${description}"\n---\n${body}`)
        expect(read).toMatchObject({ name, description, body: body.trim() })
      }),
    )
  })
})
