import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pieces } from '../../../src/agents/demo/script/pieces.ts'
import { demoScripts, scriptFor } from '../../../src/agents/demo/scripts.ts'
import { bashText, contextDiff } from '../../../src/agents/demo/script/tool-text.ts'
import { took } from '../../../src/text/format.ts'
import { Demo, only } from './stage.ts'

describe('the table of scripts', () => {
  test('gives each word to one script', () => {
    const words = demoScripts.flatMap(({ name, words }) => [name, ...words])
    expect(words).toEqual([...new Set(words)])
    for (const script of demoScripts) expect(script.about).toMatch(/^\S.{3,90}[^.]$/)
  })

  test('finds a script by its name in a sentence', () => {
    for (const { name } of demoScripts) expect(scriptFor(`Please, ${name.toUpperCase()}!`).name).toBe(name)
  })

  test.each([
    ['fix the failing test in parser.ts', 'edit'],
    ['run the tests, then edit', 'bash'],
    ['hello, show me a long answer', 'tour'],
    ['how do I switch models?', 'model'],
    ['who are you?', 'help'],
    ['Write the message of a commit for what is staged now.', 'commit'],
    ['along came a spider', 'help'],
    ['', 'help'],
  ])('%j plays %s', (message, name) => {
    expect(scriptFor(message).name).toBe(name)
  })

  test('plays `image` for an image without a known word', () => {
    expect(scriptFor('look at that', 1).name).toBe('image')
    expect(scriptFor('tour', 1).name).toBe('tour')
  })

  test('help says that it is scripted, and lists the scripts', async () => {
    const demo = new Demo()
    await demo.prompt('anything')
    const text = only(demo.frames, 'assistant_message').content?.[0]?.text ?? ''
    expect(text).toMatch(/scripted/)
    for (const { name, about, unlisted } of demoScripts.slice(1)) {
      expect(text.includes(`- \`${name}\`: ${about}`)).toBe(unlisted !== true)
    }
  })

  test('answers name the model in use', async () => {
    const demo = new Demo()
    await demo.send({ type: 'set_model', model: 'demo-small' })
    await demo.prompt('model')
    expect(only(demo.frames, 'assistant_message').content?.[0]?.text).toContain('**demo-small**')
    expect(demo.lines.join('\n')).not.toMatch(/\{(model|reasoning)\}/)
  })
})

describe('pieces of text', () => {
  test('join to the whole text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(pieces(text, size).join('')).toBe(text)
      }),
    )
  })
})

describe('the text of tools', () => {
  test("have zot's format for bash", () => {
    expect(bashText('echo one', 'one\n', 0, 240)).toBe('$ echo one\n\none\n\n[exit 0]  Took 0.2s')
    expect(bashText('true', '', 0, 20)).toBe('$ true\n\n[exit 0]  Took 0.0s')
    expect([took(300), took(65_000), took(2 * 3_600_000 + 180_000)]).toEqual(['0.3s', '1m5s', '2h3m'])
  })

  test("have zot's format for edit", () => {
    const edits = [{ oldText: 'beta', newText: 'BETA' }]
    expect(contextDiff('alpha\nbeta\ngamma\n', edits)).toBe(' alpha\n-beta\n+BETA\n gamma\n \n')
  })

  test("have zot's format for edits that are far apart", () => {
    const before = Array.from({ length: 20 }, (_, at) => `l${at + 1}\n`).join('')
    const edits = [
      { oldText: 'l6', newText: 'six' },
      { oldText: 'l16\nl17', newText: 'both' },
    ]
    const first = '...\n l3\n l4\n l5\n-l6\n+six\n l7\n l8\n l9\n...\n'
    expect(contextDiff(before, edits)).toBe(`${first}...\n l13\n l14\n l15\n-l16\n-l17\n+both\n l18\n l19\n l20\n...\n`)
  })

  test('end every bash result of the demo as the client expects', async () => {
    const footer = /\[exit (-?\d+)\](?: \(full output: (.+?)\))? {2}Took (\S+)$/
    const wrong: string[] = []
    for (const { name } of demoScripts) {
      const demo = new Demo()
      await demo.prompt(name)
      const called = new Map(demo.frames.filter(({ type }) => type === 'tool_call').map(call => [call.id, call]))
      for (const { id, type, content, is_error } of demo.frames) {
        const call = called.get(id)
        if (type !== 'tool_result' || call?.name !== 'bash' || call.args === null) continue
        const exit = footer.exec(content?.[0]?.text ?? '')?.[1]
        if (exit === undefined || (exit === '0') === is_error) wrong.push(`${name} ${id}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
