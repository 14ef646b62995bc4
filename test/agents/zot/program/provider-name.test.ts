/** A provider's name is checked against the list of the zot that is to start. */
import { expect, test } from 'vitest'
import { hintForProvider } from '../../../../src/agents/zot/program/provider-name.ts'
import { inheritedNames } from '../../../helpers/inherited-names.ts'

const OLD = ['anthropic', 'anthropic', 'kimi', 'openai']
const NEW = [...OLD, 'google', 'amazon-bedrock', 'google-vertex', 'deepseek', 'groq', 'mistral', 'xai', 'moonshotai']

test.each([
  ['one of the list', 'kimi', OLD],
  ['one in other letters, and with a space', ' Anthropic ', OLD],
  ['one whose models only its server knows', 'ollama', OLD],
  ['a short name of one of the list', 'gemini', NEW],
  ['a short name that is close to the whole one', 'moonshot', NEW],
  ['any, where zot lists nothing', 'antropic', []],
])('%s is known', (_, name, listed) => {
  expect(hintForProvider(name, listed)).toBeNull()
})

test.each([
  ['a typing error', 'antropic', OLD, 'did you mean anthropic?'],
  ['the beginning', 'anth', NEW, 'did you mean anthropic?'],
  ['a typing error in a short name', 'gemni', NEW, 'did you mean gemini?'],
  ['a short name of one that this zot lacks', 'gemini', OLD, 'it knows anthropic, kimi, openai'],
  ['something else, of few', 'nonesuch', OLD, 'it knows anthropic, kimi, openai'],
  ['something else, of many', 'nonesuch', NEW, '`zot --list-models` lists them'],
])('%s is unknown', (_, name, listed, hint) => {
  expect(hintForProvider(name, listed)).toBe(hint)
})

test.each(inheritedNames)('%s is no provider', name => {
  expect(hintForProvider(name, OLD)).not.toBeNull()
})
