import { expect, test } from 'vitest'
import { highlightLines, languageOfPath } from '../../../src/markdown/code/highlight.ts'
import { engineFor, languageOf, loadLanguage } from '../../../src/markdown/code/languages.ts'
import { createBlocks } from '../../../src/markdown/blocks/blocks.ts'
import { tag, tagged } from '../corpus.ts'

const style = { syntax: { string: tag('s'), comment: tag('c') } }

test('a fence keeps its first decision on colours', async () => {
  const blocks = createBlocks()
  const before = blocks.push('```lua\nx = "a"\n')
  expect(await loadLanguage('lua')).toBe(true)
  const after = blocks.push('x = "a"\n```\n```lua\nx = "a"\n')
  const looks = [...before, ...after].map(block => block.kind === 'code' && block.spans.map(span => span.style))
  expect(looks).toEqual([[null], [null], [null, 'string']])
})

test('a language is loaded with all embedded languages', async () => {
  expect(await loadLanguage('html')).toBe(true)
  for (const language of ['xml', 'css', 'javascript', 'graphql']) expect(engineFor(language)).toBeDefined()
  expect(await loadLanguage('no such language')).toBe(false)
  expect(await loadLanguage('constructor')).toBe(false)
})

test('every name of a language loads a module', async () => {
  const names =
    'bash c clj cmake c++ c# css dart diff docker ex erl f# go gql gradle hs toml java js json jl kt tex less lua make md nginx nix objc ml pl php ps1 proto py r rb rs scala scss sql swift ts vim html yml'
  for (const name of names.split(' ')) {
    expect([name, languageOf(name)]).not.toEqual([name, null])
    expect([name, await loadLanguage(name)]).toEqual([name, true])
  }
})

test('code outside of messages is highlighted line by line', async () => {
  await loadLanguage('bash')
  const lines = highlightLines('echo "a\nb" # c\r\x1b[2J', 'sh', style)
  expect(lines.map(tagged)).toEqual(['echo <s>"a</s>', '<s>b"</s> <c># c␍␛[2J</c>'])
  expect(highlightLines('\ta', '', style).map(tagged)).toEqual(['    a'])
})

test.each([
  ['src/app.tsx', 'typescript'],
  ['/x/Dockerfile', 'dockerfile'],
  ['Makefile', 'makefile'],
  [String.raw`C:\a\b.PY`, 'python'],
  ['.env', 'ini'],
  ['README', ''],
  ['a.unknown', ''],
  ['', ''],
])('the language of %s', (path, language) => {
  expect(languageOfPath(path)).toBe(language)
})
