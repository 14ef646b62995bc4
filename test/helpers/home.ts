/** A user's machine for one test: a home of their own, an empty project, and an environment that says nothing else. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export type Home = {
  /** The home directory. */
  path: string
  /** An empty folder in it to work in. */
  project: string
  remove(): void
}

export function makeHome(): Home {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'zotui-test-')))
  const project = path.join(home, 'project')
  mkdirSync(project)
  return {
    path: home,
    project,
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  }
}

/** A home with these files in it, by their path. */
export function homeWith(files: Record<string, string>): Home {
  const home = makeHome()
  fill(home, files)
  return home
}

/** Writes these files into a home, by their path. */
export function fill(home: Home, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(home.path, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** The compile cache of zotui serves every test. */
export const compiled = fileURLToPath(new URL('../../node_modules/.cache/zotui-tests', import.meta.url))

/** The variables that a program cannot do without, by system; everything else of the surroundings stays out. */
const inherited = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'ComSpec', 'PATHEXT']

/** The environment of a user whose home is `home`. In `more`, undefined takes a variable out. */
export function environment(home: string, more: Record<string, string | undefined> = {}): Record<string, string> {
  const found = Object.fromEntries(inherited.map(name => [name, process.env[name]]))
  const wanted: Record<string, string | undefined> = {
    ...found,
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local', 'share'),
    XDG_STATE_HOME: path.join(home, '.local', 'state'),
    XDG_CACHE_HOME: compiled,
    XDG_RUNTIME_DIR: path.join(home, '.run'),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    SHELL: '/bin/sh',
    // Nothing is asked and no checkpoint is made, unless a test is about that: a checkpoint runs git eight times.
    ZOTUI_PERMISSIONS: 'allow',
    ZOTUI_CHECKPOINTS: 'false',
    ...more,
  }
  const kept = Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(kept)
}
