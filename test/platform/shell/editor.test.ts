/** The draft in an editor of the user's: the editors are small scripts, each with a way of its own to go wrong. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { editText, resolveEditor } from '../../../src/platform/shell/editor.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-editor-'))
afterAll(() => rmSync(folder, { recursive: true }))

const PATH = '/usr/bin:/bin'
const at = (env: NodeJS.ProcessEnv) => ({ env, folder: '/' })
const resolved = async (EDITOR: string) => resolveEditor(at({ PATH: folder, EDITOR }))

let count = 0

/** An editor that notes which file it was given, and how that is protected, before it does what is told. */
function editor(script: string, name = `editor-${++count}`) {
  const path = join(folder, name)
  const note = `${path}.note`
  writeFileSync(
    path,
    `#!/bin/sh\nfor file; do :; done\necho "$file" > '${note}'\nls -ld "\${file%/*}" "$file" >> '${note}'\n${script}\n`,
    {
      mode: 0o755,
    },
  )
  return {
    path,
    env: { PATH, EDITOR: `'${path}'` },
    noted: () => {
      const [file = '', ...modes] = readFileSync(note, 'utf8').trim().split('\n')
      return { file, modes: modes.map(line => line.slice(0, 10)) }
    },
  }
}

describe.skipIf(process.platform === 'win32')('an editor', () => {
  test('gets the draft in a private file, and its saved text is the new draft', async () => {
    const { env, noted } = editor('cp "$file" "$0.got"; printf "new text\\n" > "$file"')
    expect(await editText('old é漢\ntext', at(env))).toEqual({ text: 'new text' })
    const { file, modes } = noted()
    expect(file).toMatch(/\.md$/)
    expect(modes).toEqual(['drwx------', '-rw-------'])
    expect(readFileSync(`${env.EDITOR.slice(1, -1)}.got`, 'utf8')).toBe('old é漢\ntext')
    expect(existsSync(dirname(file))).toBe(false)
  })

  test('that saves nothing leaves the draft unchanged', async () => {
    expect(await editText('draft', at(editor('').env))).toEqual({ text: 'draft' })
  })

  test.each([
    ['adds a newline at the end', 'printf "a\\nb\\n"', 'a\nb'],
    ['writes CRLF and a byte order mark', String.raw`printf '\357\273\277a\r\nb\r\n'`, 'a\nb'],
    ['empties the file', 'printf ""', ''],
  ])('that %s', async (_, script, text) => {
    expect(await editText('draft', at(editor(`${script} > "$file"`).env))).toEqual({ text })
  })

  test('keeps the final newline of the draft', async () => {
    expect(await editText('draft\n', at(editor('echo more >> "$file"').env))).toEqual({ text: 'draft\nmore\n' })
  })

  test('may replace the file when it saves', async () => {
    const { env } = editor('echo new > "$file.tmp"; mv "$file.tmp" "$file"')
    expect(await editText('draft', at(env))).toEqual({ text: 'new' })
  })
})

describe.skipIf(process.platform === 'win32')('nothing is lost by an editor that', () => {
  test.each([
    ['gives up (vim: `:cq`)', 'exit 1', 'draft', 'The editor ended with code 1; the draft is unchanged.'],
    [
      'fails after saving',
      'echo saved > "$file"; exit 3',
      'saved',
      'The editor ended with code 3; the draft is what the editor saved.',
    ],
    ['is killed', 'kill -9 $$', 'draft', 'The editor was ended by SIGKILL; the draft is unchanged.'],
    [
      'is killed while it writes',
      ': > "$file"; kill -9 $$',
      'draft',
      'The editor was ended by SIGKILL; the draft is unchanged.',
    ],
    [
      'removes the file',
      'rm "$file"',
      'draft',
      'The editor closed, but its file is not there; the draft is unchanged.',
    ],
  ])('%s', async (_, script, text, problem) => {
    const { env, noted } = editor(script)
    expect(await editText('draft', at(env))).toEqual({ text, problem })
    expect(existsSync(dirname(noted().file))).toBe(false)
  })

  test('leaves an unreadable file: the file stays, and its path is shown', async () => {
    const { env, noted } = editor('dd if=/dev/zero of="$file" bs=1000000 count=11 2>/dev/null')
    const { text, problem } = await editText('draft', at(env))
    const { file } = noted()
    expect(text).toBe('draft')
    expect(problem).toBe(`The editor closed, but its file ${file} is larger than 10 MB; the draft is unchanged.`)
    expect(existsSync(file)).toBe(true)
    rmSync(dirname(file), { recursive: true })
  })

  test('does not exist', async () => {
    const path = join(folder, 'no-program')
    writeFileSync(path, '#!/no/such/interpreter', { mode: 0o755 })
    expect(await editText('draft', at({ PATH, EDITOR: path }))).toEqual({
      text: 'draft',
      problem: 'The editor cannot be started (ENOENT); the draft is unchanged.',
    })
  })
})

describe.skipIf(process.platform === 'win32')('the choice of the editor', () => {
  test('prefers $VISUAL to $EDITOR, and ignores empty ones', async () => {
    const [visual, plain] = [editor('').path, editor('').path]
    expect(resolveEditor(at({ PATH, VISUAL: visual, EDITOR: plain }))).toEqual({ file: visual, args: [] })
    expect(resolveEditor(at({ PATH, VISUAL: ' ', EDITOR: plain }))).toEqual({ file: plain, args: [] })
  })

  test('allows arguments', async () => {
    const { path } = editor('', 'ed it')
    const inPath = { PATH: `${folder}:${PATH}` }
    expect(resolveEditor(at({ ...inPath, EDITOR: `"ed it" -c 'set tw=72' a\\ b` }))).toEqual({
      file: path,
      args: ['-c', 'set tw=72', 'a b'],
    })
    // A path with a blank that nobody quoted.
    expect(resolveEditor(at({ ...inPath, EDITOR: path }))).toEqual({ file: path, args: [] })
  })

  test('makes an editor with a window wait', async () => {
    const { path } = editor('', 'code')
    expect(await resolved('code')).toEqual({ file: path, args: ['--wait'] })
    expect(await resolved('code --wait -n')).toEqual({ file: path, args: ['--wait', '-n'] })
    expect(await resolved('code -w')).toEqual({ file: path, args: ['-w'] })
  })

  test('falls back to an installed editor', async () => {
    const place = mkdtempSync(join(folder, 'path-'))
    const put = (name: string) => writeFileSync(join(place, name), '', { mode: 0o755 })
    expect(resolveEditor(at({ PATH: place }))).toHaveProperty('problem')
    put('nano')
    expect(resolveEditor(at({ PATH: place }))).toEqual({ file: join(place, 'nano'), args: [] })
    put('vi')
    expect(resolveEditor(at({ PATH: place }))).toEqual({ file: join(place, 'vi'), args: [] })
  })

  test.each([
    [{ EDITOR: 'no-such-editor' }, 'The editor in $EDITOR was not found: no-such-editor'],
    [{ VISUAL: `vi 'x` }, `There is an unclosed quote in $VISUAL: vi 'x`],
  ])('%o is no editor, and the draft is unchanged', async (env, problem) => {
    expect(await editText('draft', at({ PATH, ...env }))).toEqual({ text: 'draft', problem })
  })

  test('never takes a program of the current folder', async () => {
    const { path } = editor('', 'planted')
    expect(resolveEditor(at({ PATH: `.:${dirname(path)}x:`, EDITOR: 'planted' }))).toHaveProperty('problem')
  })
})
