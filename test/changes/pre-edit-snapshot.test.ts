import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createPreEditSnapshots } from '../../src/changes/pre-edit-snapshot.ts'
import { makeFolder } from './repositories.ts'

const at = 1

function called(name: string, args: unknown): AgentEvent {
  return { type: 'tool_called', at, id: 't', name, arguments: args }
}

/** The seen content of `a` by these events, with this in it. */
function seen(content: string | null, ...events: readonly AgentEvent[]): unknown {
  const { path, put } = makeFolder()
  if (content !== null) put({ a: content })
  const looks = createPreEditSnapshots(path)
  for (const event of events) looks.take(event)
  const found = looks.befores().get(join(path, 'a'))
  return found?.kind === 'text' ? found.text : found?.kind
}

const edit = (oldText: string, newText: string) => called('edit', { path: 'a', edits: [{ oldText, newText }] })
const write = (content: string) => called('write', { path: './a', content })

describe('a snapshot is taken before a call changes the file', () => {
  test.each<[string, string | null, AgentEvent, unknown]>([
    ['an edit to come', 'one two', edit('one', 'another'), 'one two'],
    ['an edit that was made', 'another two', edit('one', 'another'), 'unread'],
    ['an edit that adds', 'one two', edit('one', 'one and a half'), 'one two'],
    ['an edit that has added', 'one and a half two', edit('one', 'one and a half'), 'unread'],
    ['an edit of lines with CRLF', 'a\r\nb\r\n', edit('a\nb', 'c'), 'a\r\nb\r\n'],
    ['a write to come', 'old', write('new'), 'old'],
    ['a write of a new file', null, write('new'), 'none'],
    ['a write that was made', 'new', write('new'), 'unread'],
    ['a write that is being made', 'ne', write('new'), 'unread'],
    ['another tool', 'old', called('read', { path: 'a' }), undefined],
    ['no path', 'old', called('write', { content: 'x' }), undefined],
    ['no arguments', 'old', called('write', null), undefined],
  ])('%s', (_, content, event, expected) => {
    expect(seen(content, event)).toBe(expected)
  })

  test('it is taken while the model still writes the call', () => {
    const drafted: AgentEvent = { type: 'tool_drafted', at, id: 't', name: 'write' }
    const piece = (text: string): AgentEvent => ({ type: 'tool_arguments_received', at, id: 't', text })
    // Nothing has to be proven for a call that was not carried out yet.
    expect(seen('new', drafted, piece('{"pa'), piece('th":"a'), piece('","content":"ne'))).toBe('new')
    expect(seen('new', drafted, piece('{"pa'), piece('th":"a'))).toBeUndefined()
    expect(seen('new', piece('{"path":"a"'))).toBeUndefined()
    // The beginning of what is written may have been all that there was.
    expect(seen('ne', drafted, piece('{"path":"a"'), write('new'))).toBe('ne')
  })

  test('a call that ran before it was reported leaves no snapshot', () => {
    const drafted: AgentEvent = { type: 'tool_drafted', at, id: 't', name: 'write' }
    const piece: AgentEvent = { type: 'tool_arguments_received', at, id: 't', text: '{"path":"a"' }
    expect(seen('new', drafted, piece, write('new'))).toBe('unread')
    expect(seen('another two', drafted, piece, edit('one', 'another'))).toBe('unread')
    expect(seen('one two', drafted, piece, edit('one', 'another'))).toBe('one two')
  })

  test('only the first snapshot of a file is kept', () => {
    const { path, put } = makeFolder()
    put({ a: 'one' })
    const looks = createPreEditSnapshots(path)
    looks.take(edit('one', 'two'))
    put({ a: 'two' })
    looks.take(edit('two', 'three'))
    expect(looks.befores().get(join(path, 'a'))).toMatchObject({ text: 'one' })
    looks.forget()
    expect(looks.befores().size).toBe(0)
  })

  test('links are not followed, non-files do no harm, and files outside the folder are not read', () => {
    const { path } = makeFolder()
    mkdirSync(join(path, 'folder'))
    symlinkSync('/etc/passwd', join(path, 'link'))
    symlinkSync('/etc', join(path, 'out'))
    writeFileSync(join(path, 'bytes'), Buffer.from([0]))
    const looks = createPreEditSnapshots(path)
    for (const name of ['folder', 'link', 'bytes', '/dev/zero', 'out/passwd'])
      looks.take(called('write', { path: name, content: 'x' }))
    const kinds = [...looks.befores()].map(([file, { kind }]) => [file.replace(`${path}/`, ''), kind])
    expect(kinds).toEqual([
      ['folder', 'unread'],
      ['link', 'unread'],
      ['bytes', 'unread'],
    ])
  })
})
