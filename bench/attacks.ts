/** Unexpected output of an agent. Each attack is one turn of zot's frames. */

export type Attack = {
  about: string
  /** A string is a raw line, for values that are nested too deep for `JSON.stringify`. */
  frames: () => Iterable<object | string>
}

/** The file with the number of additional models. */
export const MODELS = 'bench-models'

const MEGABYTE = 1024 * 1024

const delta = (text: string): object => ({ type: 'text_delta', delta: text })
const text = (words: string): object => ({ type: 'text', text: words })
const done = (id: string): object => ({ type: 'tool_result', id, is_error: false, content: [text('done')] })

/** Sends a text in pieces of `piece` characters, and then as the final answer. */
function* answer(whole: string, piece: number): Iterable<object> {
  for (let at = 0; at < whole.length; at += piece) yield delta(whole.slice(at, at + piece))
  yield { type: 'assistant_message', content: [text(whole)] }
  yield { type: 'turn_end', stop: 'end' }
}

/** Calls of one step, all of which end. */
function* calls(ids: readonly string[], name = 'look'): Iterable<object> {
  const content = ids.map(id => ({ type: 'tool_call', id, name, args: { id } }))
  yield { type: 'assistant_message', content }
  for (const id of ids) yield { type: 'tool_call', id, name, args: { id } }
  yield { type: 'turn_end', stop: 'tool_use' }
  for (const id of ids) yield done(id)
}

/** Each call is made by the one before it. */
function* nestedCalls(depth: number): Iterable<object> {
  const ids = Array.from({ length: depth }, (_, level) => `a${'/1'.repeat(level)}`)
  yield* calls(ids.slice(0, 1), 'codemode')
  for (const id of ids.slice(1)) yield { type: 'tool_call', id, name: 'look', args: { id: 1 } }
  for (const id of ids.slice(1).toReversed()) yield done(id)
}

function* drafts(count: number, length: number): Iterable<object> {
  const ids = Array.from({ length: count }, (_, number) => `d${number}`)
  for (const id of ids) yield { type: 'tool_use_start', id, name: `${id}${'n'.repeat(length)}` }
}

/** A call whose arguments are lists nested `depth` deep. */
function deepCall(depth: number): string {
  return `{"type":"tool_call","id":"a","name":"look","args":${'['.repeat(depth)}${']'.repeat(depth)}}`
}

const oddScripts = [
  `${'('.repeat(990)}${')'.repeat(990)}`,
  'a('.repeat(900),
  `${'('.repeat(20)}${'a,'.repeat(900)}`,
  '<a '.repeat(600),
  `\`${'${`'.repeat(600)}`,
  'class a extends '.repeat(120),
  'function '.repeat(200),
  '/'.repeat(1990),
  `get ${' '.repeat(1900)}a`,
  `${'a.'.repeat(990)}(`,
]

export const attacks: Readonly<Record<string, Attack>> = {
  lists: { about: 'lists 10,000 deep', frames: () => answer(`${'- '.repeat(10_000)}x\n`.repeat(20), 4096) },
  indents: {
    about: 'lists 2,000 deep, a level in each line',
    frames: () => answer(Array.from({ length: 2000 }, (_, level) => `${' '.repeat(2 * level)}- x\n`).join(''), 65_536),
  },
  quotes: { about: 'quotes 10,000 deep', frames: () => answer(`${'> '.repeat(10_000)}x\n`.repeat(20), 4096) },
  line: { about: 'a line of 100 MB', frames: () => answer('x'.repeat(100 * MEGABYTE), Number.MAX_SAFE_INTEGER) },
  result: {
    about: 'a result of 50 MB',
    frames: () => [
      { type: 'tool_call', id: 'a', name: 'look', args: {} },
      { type: 'tool_result', id: 'a', is_error: false, content: [text(`${'x'.repeat(99)}\n`.repeat(MEGABYTE / 2))] },
    ],
  },
  drafts: { about: '2,000 drafted calls with long names', frames: () => drafts(2000, 2000) },
  combining: {
    about: '15 MB of combining marks',
    frames: () => answer(`a${'\u0301'.repeat(7.5 * MEGABYTE)}`, 16_384),
  },
  script: {
    about: 'JavaScript that is hard to colour',
    frames: () => answer(`\`\`\`js\n${oddScripts.map(line => `${line}\n`.repeat(10)).join('')}\`\`\`\n`, 4096),
  },
  emphasis: { about: 'emphasis that never ends', frames: () => answer('*a **b _c '.repeat(4000), 200) },
  brackets: { about: 'links that never end', frames: () => answer('[a](b '.repeat(4000), 200) },
  table: {
    about: 'a table of 1,000 columns',
    frames: () =>
      answer(`${'| a '.repeat(1000)}|\n${'|---'.repeat(1000)}|\n${`${'| b '.repeat(1000)}|\n`.repeat(20)}\n`, 512),
  },
  nested: { about: 'calls within calls, 1,000 deep', frames: () => nestedCalls(1000) },
  calls: { about: '16,000 calls in a step', frames: () => calls(Array.from({ length: 16_000 }, (_, at) => `c${at}`)) },
  children: {
    about: '16,000 calls of one call',
    frames: function* frames() {
      yield* [...calls(['a'], 'codemode')].slice(0, 3)
      for (let at = 0; at < 16_000; at += 1) {
        yield { type: 'tool_call', id: `a/${at}`, name: 'look', args: { at } }
        yield done(`a/${at}`)
      }
      yield done('a')
    },
  },
  deep: {
    about: 'arguments 4,500 deep',
    frames: () => [deepCall(4500), done('a')],
  },
}
