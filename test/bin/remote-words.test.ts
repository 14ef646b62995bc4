import { expect, test } from 'vitest'
import { remoteWords } from '../../bin/wiring/start/agent/remote-words.ts'
import { readMeerkatWords } from '../../src/agents/meerkat/program.ts'
import { readRozArguments } from '../../src/agents/roz/arguments.ts'

const ENV = { ROZ_API_KEY: 'key' }

test.each([
  ['meerkat', 'meerkat'],
  [
    'meerkat --model gpt-5.1 --provider=openai --reasoning high --memory --max-tokens 5000',
    'meerkat --model gpt-5.1 --provider openai --reasoning high --memory --max-tokens 5000',
  ],
  ["meerkat --model 'my model' --user-config-root /home/me", "meerkat --model 'my model'"],
])('%s starts elsewhere as %s', (words, elsewhere) => {
  const read = readMeerkatWords(words)
  if (!read.ok) throw new Error(read.reason)
  const program = { ...read.value, file: '/bin/rkat-rpc' }
  const place = { folder: '/p', env: {}, stateFolder: '/s', prices: {}, archivesCleared: false }
  expect(remoteWords({ agent: 'meerkat', program, ...place })).toBe(elsewhere)
})

test.each([
  ['roz --base-url http://localhost:8080', 'roz --base-url http://localhost:8080'],
  [
    "roz --base-url https://roz.example.com:443 --model m --environment 'my robot' --task t --ca ca.pem",
    "roz --base-url https://roz.example.com:443 --model m --environment 'my robot' --task t --ca ca.pem",
  ],
])('%s has its server elsewhere, too', (words, elsewhere) => {
  const read = readRozArguments(words, ENV)
  if (!read.ok) throw new Error(read.reason)
  const choice = { agent: 'roz', start: read.value, roots: null, folder: '/p', env: {} } as const
  expect(remoteWords(choice)).toBe(elsewhere)
  expect(readRozArguments(elsewhere, ENV)).toEqual(read)
})
