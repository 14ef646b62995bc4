/** Each component as text, in a narrow, a usual and a wide terminal. */
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { Region } from '../../components/App.tsx'
import { DiffPage } from '../../components/pages/diff/DiffPage.tsx'
import { HelpPage } from '../../components/pages/help/HelpPage.tsx'
import { TranscriptPage } from '../../components/pages/transcript/TranscriptPage.tsx'
import { createDiffReader } from '../../components/pages/diff/reading.ts'
import { fullKeymap } from '../../components/pages/keymap.ts'
import type { LiveZone } from '../../components/regions.ts'
import { createScreen } from '../../components/screen/screen.ts'
import { initialDiff, type Changes } from '../../components/pages/diff/state.ts'
import type { AppState } from '../../src/state/state.ts'
import type { FileChange } from '../../src/tools/diff/change.ts'
import type { ReadCall } from '../../components/pages/transcript/document/output-loader.ts'
import type { HelpSection } from '../../src/state/help.ts'
import { createHelpReader } from '../../components/pages/help/rows.ts'
import { createTranscriptReader } from '../../components/pages/transcript/reading.ts'
import { initialTranscript } from '../../components/pages/transcript/state.ts'
import { createStore } from '../../src/state/store.ts'
import { models } from '../golden/shots.ts'
import {
  accepted,
  answered,
  answering,
  chatAfter,
  prints,
  prompt,
  runsTool,
  says,
  started,
  step,
  text,
  type Told,
} from '../conversation/events.ts'
import { commands, stateWith, theme, withChat, withDraft } from './stage.ts'
import { promptEntry } from '../../src/state/composer/queue-entry.ts'
import { atWidths } from './draw.tsx'

const zoneOf = (state: AppState, columns: number): LiveZone =>
  createScreen(theme, () => commands).draw(state, { columns, rows: 24 }).live

const during = (...events: readonly Told[]): AppState =>
  withChat(chatAfter(started, prompt('go'), accepted, step(1), answering, ...events))

/** A panel, as the screen draws it. */
function panel(state: AppState, columns: number, name: string): ReactNode {
  const { conversation, progress, input, below } = zoneOf(state, columns)
  const pieces = [...conversation, ...progress, ...input, ...below].filter(each => each.panel === name)
  if (pieces.length === 0) throw new Error(`there is no ${name}`)
  return <Region pieces={pieces} />
}

test('the header', () => {
  const state = withChat(chatAfter({ type: 'agent_starting', agent: 'zot' }))
  expect(atWidths(columns => panel(state, columns, 'header'))).toMatchInlineSnapshot(`
    "40:
      zotui 1.2.3
      Enter sends   Esc stops   / commands
    80:
      zotui 1.2.3
      Enter sends   Esc stops   / commands   ? all keys
    120:
      zotui 1.2.3
      Enter sends   Esc stops   / commands   ? all keys"
  `)
})

test('the open block of an answer', () => {
  const state = during(says('One paragraph is done.\n\nThe second one is still being written, and `code` in it'))
  expect(atWidths(columns => panel(state, columns, 'turn'))).toMatchInlineSnapshot(`
    "40:

      The second one is still being written,
      and code in it
    80:

      The second one is still being written, and code in it
    120:

      The second one is still being written, and code in it"
  `)
})

test('the panel of a running call', () => {
  const calls = runsTool('a', 'bash', { command: 'npm test -- --reporter=verbose' }).slice(1)
  const state = during(...calls, prints('a', 'first\n'), prints('a', '\nthird\n'))
  expect(atWidths(columns => panel(state, columns, 'turn'))).toMatchInlineSnapshot(`
    "40:

    ⠋ bash  npm test --   49s
            --reporter=verbose
      first
      third
    80:

    ⠋ bash  npm test -- --reporter=verbose   49s
        first
        third
    120:

    ⠋ bash  npm test -- --reporter=verbose   49s
        first
        third"
  `)
})

test('the working line', () => {
  const state = { ...during(says('a')), now: 75_000 }
  expect(atWidths(columns => panel(state, columns, 'working'))).toMatchInlineSnapshot(`
    "40:

    ⠴ answering   1m13s   Esc stops
    80:

    ⠴ answering   1m13s   Esc stops
    120:

    ⠴ answering   1m13s   Esc stops"
  `)
})

test('the queue', () => {
  const entries = ['and then the tests', 'write it down in the changelog, as one line a change']
  const state = { ...during(says('a')), queue: { entries: entries.map(promptEntry), paused: false } }
  expect(atWidths(columns => panel(state, columns, 'queue'))).toMatchInlineSnapshot(`
    "40:
      2 queued   Alt+Up edits   1 "and then…
    80:
      2 queued   Alt+Up edits   1 "and then the tests"   2 "write it down in the ch…
    120:
      2 queued   Alt+Up edits   1 "and then the tests"   2 "write it down in the changelog, as one line a change""
  `)
})

test('the composer', () => {
  const state = withDraft('A line that is longer than a narrow terminal is wide.\n\nAnd one more 你好')
  expect(atWidths(columns => panel(state, columns, 'composer'))).toMatchInlineSnapshot(`
    "40:

    > A line that is longer than a narrow 
      terminal is wide.
      
      And one more 你好
    80:

    > A line that is longer than a narrow terminal is wide.
      
      And one more 你好
    120:

    > A line that is longer than a narrow terminal is wide.
      
      And one more 你好"
  `)
})

test('the completion popup', () => {
  expect(atWidths(columns => panel(withDraft('/re'), columns, 'popup'))).toMatchInlineSnapshot(`
    "40:
      › /resume     resume an earlier…
        /reasoning  set the reasoning level
        /retry      send the last prompt…
        /rewind     go back to an earlier…
        /rename     give this session a name
        /restart    restart the agent
        /clear      /reset: start a new…
        /tree       what came of this…
        /share      a link for others to…
        /compact    /compress: replace the…
        /worktree   merge or discard this…
      Up and Down choose   Tab completes
    80:
      › /resume [text]         resume an earlier session
        /reasoning [level]     set the reasoning level
        /retry                 send the last prompt again
        /rewind [text]         go back to an earlier prompt and its files
        /rename [name]         give this session a name
        /restart [flags]       restart the agent
        /clear                 /reset: start a new conversation; the screen stays
        /tree                  what came of this session, as a tree
        /share                 a link for others to read this conversation
        /compact               /compress: replace the conversation with a summary
        /worktree              merge or discard this conversation's git worktree
      command 1 of 14   Up and Down choose   Tab completes
    120:
      › /resume [text]         resume an earlier session
        /reasoning [level]     set the reasoning level
        /retry                 send the last prompt again
        /rewind [text]         go back to an earlier prompt and its files; undo: revert the last restore
        /rename [name]         give this session a name
        /restart [flags]       restart the agent; with another --model, --provider or --base-url
        /clear                 /reset: start a new conversation; the screen stays
        /tree                  what came of this session, as a tree
        /share                 a link for others to read this conversation
        /compact               /compress: replace the conversation with a summary
        /worktree              merge or discard this conversation's git worktree; compare or keep its changes
      command 1 of 14   Up and Down choose   Tab completes"
  `)
})

test('an open list', () => {
  const state = stateWith({ picker: { kind: 'models', ofOtherProvider: false, filter: 'c', selected: 1, models } })
  expect(
    atWidths(columns => (
      <>
        {panel(state, columns, 'list title')}
        {panel(state, columns, 'list')}
      </>
    )),
  ).toMatchInlineSnapshot(`
    "40:

    > model  c
        claude                 200k   in use
      › claude-small           200k
        gpt-5-codex-preview    400k
        a-model-of-unknown-…
      4 models   Enter selects   Esc cancels
    80:

    > model  c
        claude                    anthropic   200k   reasoning   in use
      › claude-small              anthropic   200k
        gpt-5-codex-preview       openai      400k   reasoning
        a-model-of-unknown-size   local
      4 models   Up and Down choose   Enter selects   Esc cancels
    120:

    > model  c
        claude                    anthropic   200k   reasoning   in use
      › claude-small              anthropic   200k
        gpt-5-codex-preview       openai      400k   reasoning
        a-model-of-unknown-size   local
      4 models   Up and Down choose   Enter selects   Esc cancels"
  `)
})

test('the status line', () => {
  expect(atWidths(columns => panel(stateWith(), columns, 'status'))).toMatchInlineSnapshot(`
    "40:
      anthropic/claude     ~/src/zotui  main
    80:
      anthropic/claude                                             ~/src/zotui  main
    120:
      anthropic/claude                                                                                     ~/src/zotui  main"
  `)
})

test('the key debugger', () => {
  const watched = [
    { bytes: 'ESC [1;5D', key: 'ctrl+left', action: 'word_left' },
    { bytes: 'ESC [?1u', key: null, action: null },
  ]
  expect(atWidths(columns => panel(stateWith({ watched }), columns, 'key-debug'))).toMatchInlineSnapshot(`
    "40:
      Ctrl+C ends it.
      ESC [1;5D   ctrl+left   word_left
      ESC [?1u    no key      
    80:
      Ctrl+C ends it.
      ESC [1;5D   ctrl+left   word_left
      ESC [?1u    no key      
    120:
      Each key is listed with its bytes, its name and its action, but does nothing. Ctrl+C ends it.
      ESC [1;5D   ctrl+left   word_left
      ESC [?1u    no key      "
  `)
})

const keys = [['q', 'back']] as const

/** A session that has nothing. */
function* nowhere(): ReturnType<ReadCall> {
  yield
  return null
}

const change: FileChange = {
  file: '/src/parser.ts',
  path: 'src/parser.ts',
  from: null,
  kind: 'changed',
  form: 'text',
  added: 12,
  removed: 3,
  isEstimate: false,
  calls: 1,
}
const changes: Changes = {
  list: { session: [change], before: [], unsure: 0, notes: [] },
  isAsking: false,
  diffs: new Map(),
  digests: new Map(),
}
const rows = 8

test('TranscriptPage', () => {
  const state = withChat(chatAfter(started, prompt('go'), accepted, step(1), answering, answered(text('An answer.'))))
  expect(
    atWidths(columns => {
      const read = createTranscriptReader(nowhere)
      const reading = read(initialTranscript, state, { theme, size: { columns, rows }, keys })
      return <TranscriptPage reading={createStore(reading)} />
    }),
  ).toMatchInlineSnapshot(`
    "40:

    ┃ > go

        An answer.



      ⠋ working 58s   ? keys   q closes
    80:

    ┃ > go

        An answer.



      ⠋ working 58s   line 4 of 4   100 %   ? keys   q closes
    120:

    ┃ > go

        An answer.



      ⠋ working 58s   line 4 of 4   100 %   / search   t turns   Enter opens   c copies   ? keys   q closes"
  `)
})

test('DiffPage', () => {
  expect(
    atWidths(columns => {
      const context = { theme, size: { columns, rows }, keys }
      const reading = createDiffReader()({ ...initialDiff(), changes }, stateWith(), context)
      return <DiffPage reading={createStore(reading)} />
    }),
  ).toMatchInlineSnapshot(`
    "40:
      changed by this session: 1 file
    › M  src/parser.ts   +12 -3





      ? keys   q closes
    80:
      changed by this session: 1 file   +12 -3
    › M  src/parser.ts   +12 -3





      Edited once by the agent.   Enter opens   a read   t tree   ? keys   q closes
    120:
      changed by this session: 1 file   +12 -3
    › M  src/parser.ts   +12 -3





      Edited once by the agent.   Enter opens   a read   t tree   / search   e editor   ? keys   q closes"
  `)
})

test('HelpPage', () => {
  const sections: HelpSection[] = [
    {
      title: 'Keys',
      of: 'key',
      rows: [
        ['Enter', 'sends'],
        ['Alt+Enter', 'breaks the line, wherever the caret stands in the text'],
      ],
    },
    { title: 'Commands', of: 'command', rows: [['/help', 'prints the keys']] },
  ]
  const state = stateWith({ keyNames: fullKeymap.names })
  expect(
    atWidths(columns => {
      const context = { theme, size: { columns, rows }, keys: [] }
      const reading = createHelpReader({ kind: 'keys', sections })({ from: 0 }, state, context)
      return <HelpPage reading={createStore(reading)} />
    }),
  ).toMatchInlineSnapshot(`
    "40:
      Keys
      Enter      sends
      Alt+Enter  breaks the line, wherever
                 the caret stands in the
                 text

      Commands
      Up, Down scroll   Esc closes
    80:
      Keys
      Enter      sends
      Alt+Enter  breaks the line, wherever the caret stands in the text

      Commands
      /help      prints the keys

      Esc closes
    120:
      Keys
      Enter      sends
      Alt+Enter  breaks the line, wherever the caret stands in the text

      Commands
      /help      prints the keys

      Esc closes"
  `)
})
