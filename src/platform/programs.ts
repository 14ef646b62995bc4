/**
 * Finds the programs that zotui starts by itself, such as git, ctags and the agents.
 *
 * A project may have its own programs first in PATH: npx, direnv and a virtual environment put them there, and so does a folder in PATH
 * that is not absolute. Nobody was asked about these, so they are passed over for the next program of that name. A path that the user
 * wrote is taken as it is. So are the programs of a home folder, even if zotui works in it or if it is a repository.
 *
 * Nothing is awaited: the first frame needs the agent's path.
 */
import { accessSync, constants, statSync, type Stats } from 'node:fs'
import { basename, delimiter, dirname, join, posix, resolve, win32 } from 'node:path'
import process from 'node:process'
import { lookup } from '../text/lookup.ts'
import { realPath } from './real-path.ts'
import { readRegularFileSync } from './regular-file.ts'
import { isWithin } from './within.ts'

export type ProgramSearch = {
  /** The absolute path, or a path as it was passed; null if there is none. */
  path: string | null
  /** The first one that belongs to the project, and was passed over. */
  ofProject: string | null
  /** Whether there is one that may not be run. */
  isDenied: boolean
}

export type ProgramSearchOptions = {
  platform?: NodeJS.Platform
  /** Folders to look in after those of PATH. */
  others?: readonly string[]
}

/** The path of a program for the work in `folder`; null if there is none outside of the project. */
export function findProgram(
  name: string,
  env: NodeJS.ProcessEnv,
  folder: string,
  options: ProgramSearchOptions = {},
): string | null {
  return searchProgram(name, env, folder, options).path
}

/** Finds a program as `findProgram` does, and says why there is none. */
export function searchProgram(
  name: string,
  env: NodeJS.ProcessEnv,
  folder: string,
  { platform = process.platform, others = [] }: ProgramSearchOptions = {},
): ProgramSearch {
  const isPath = platform === 'win32' ? /[/\\]/.test(name) : name.includes('/')
  const names = withExtensions(name, env, platform)
  const folders = isPath ? [] : [...foldersOf(env, platform), ...others]
  const found: ProgramSearch = { path: null, ofProject: null, isDenied: false }
  let roots: readonly string[] | undefined
  for (const candidate of isPath ? names : folders.flatMap(at => names.map(each => join(at, each)))) {
    const state = examine(candidate)
    found.isDenied ||= state === 'not executable'
    if (state !== 'executable') continue
    roots ??= isPath ? [] : rootsOf(env, folder)
    if (isIn(roots, candidate)) found.ofProject ??= candidate
    else return { ...found, path: candidate }
  }
  return found
}

/**
 * Whether a shell in `at` would find a program of this name in the project of `folder` before any other. Unlike `searchProgram`, it takes
 * the folders of PATH that are not absolute as the shell does: from `at`.
 */
export function isOfProject(
  name: string,
  env: NodeJS.ProcessEnv,
  { folder, at }: { folder: string; at: string },
): boolean {
  if (name.includes('/')) return false
  const roots = rootsOf(env, folder)
  // In PATH, an empty name is the current folder.
  const folders = (lookup(env, 'PATH') ?? SYSTEM).split(delimiter).map(each => resolve(at, each))
  const found = folders.map(each => join(each, name)).find(each => examine(each) === 'executable')
  return found !== undefined && isIn(roots, found)
}

/** Whether the first program of this name in PATH is a file that has many names, such as busybox: its options may mean something else. */
export function isOneForMany(name: string, env: NodeJS.ProcessEnv, platform = process.platform): boolean {
  const found = foldersOf(env, platform).map(each => join(each, name))
  const file = found.find(each => examine(each) === 'executable')
  return file !== undefined && /busybox|toybox/.test(basename(realPath(file)))
}

/** A path at which there is no program: starting it fails as it does for any that is missing. */
export const NO_PROGRAM = '/nonexistent/program'

/** The next step where only the project has such a program. */
export function onlyInProject(path: string): string {
  return `the project has one at ${path}; to use it, name it by that path`
}

/**
 * The environment for such a program, which may look for others in PATH itself: without the folders of the project, and without those
 * that are not absolute.
 */
export function helperEnvironment(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  const roots = rootsOf(env, folder)
  const folders = foldersOf(env, process.platform).filter(each => !isIn(roots, each))
  const others = Object.entries(env).filter(([name]) => name.toUpperCase() !== 'PATH')
  return { ...Object.fromEntries(others), PATH: folders.join(delimiter) || SYSTEM }
}

/** An empty PATH would mean the current folder. */
const SYSTEM = process.platform === 'win32' ? '' : '/usr/bin:/bin'

/** Bytes of the file `.git` of a worktree. */
const POINTER = 64 * 1024

/** A program to start: what is run, the arguments before its own, and the environment. */
export type StartedProgram = { file: string; before: readonly string[]; env: NodeJS.ProcessEnv }

/** Bytes of the longest first line that systems read. */
const FIRST_LINE = 256
/** Bytes of the largest program; only its beginning is read. */
const LARGEST = 4_000_000_000

/**
 * The way to start a program whose own environment keeps the user's PATH: an agent runs commands with it. A script with the first line
 * `#!/usr/bin/env node` would find the `node` of the project there, so its interpreter is looked up here.
 */
export function startedProgram(file: string, env: NodeJS.ProcessEnv, folder: string): StartedProgram {
  const plain = { file, before: [], env }
  if (process.platform === 'win32') return plain
  const [line = ''] = readRegularFileSync(file, LARGEST, FIRST_LINE)?.toString('latin1').split('\n') ?? []
  const words = /^#![ \t]*\/\S*\/env[ \t]+(?:-S[ \t]*)?(.*)$/
    .exec(line)?.[1]
    ?.trim()
    .split(/[ \t]+/)
  const [name = '', ...options] = words ?? []
  if (name === '' || name.includes('/')) return plain
  const interpreter = /^-|=/.test(name) ? null : findProgram(name, env, folder)
  // Without another Node there is the one that runs zotui.
  if (interpreter === null && name === 'node') return { file: process.execPath, before: [...options, file], env }
  // Options of env, or an interpreter that is nowhere else: it is looked for where nothing is the project's.
  if (interpreter === null) return { ...plain, env: helperEnvironment(env, folder) }
  return { file: interpreter, before: [...options, file], env }
}

/**
 * The folders that belong to a project: that in which zotui works, the repositories around it, up to the home folder, and the folder to which
 * a linked worktree belongs.
 */
function rootsOf(env: NodeJS.ProcessEnv, folder: string): string[] {
  const homes = [...new Set([env['HOME'] ?? '/', realPath(env['HOME'] ?? '/')])]
  const isTooHigh = (path: string): boolean => dirname(path) === path || homes.some(home => isWithin(path, home))
  const starts = new Set([folder, currentFolder()].flatMap(each => [resolve(each), realPath(resolve(each))]))
  const roots = new Set<string>()
  for (const start of starts) {
    for (let current = start; !isTooHigh(current); current = dirname(current)) {
      const git = statsOf(join(current, '.git'))
      if (current === start || git) roots.add(current)
      const main = git?.isFile() ? mainFolder(join(current, '.git')) : null
      if (main !== null && !isTooHigh(main)) roots.add(main)
    }
  }
  return [...roots]
}

/** The folder of the repository to which a linked worktree belongs, by its file `.git`. */
function mainFolder(file: string): string | null {
  const text = readRegularFileSync(file, POINTER)?.toString() ?? ''
  return /^gitdir: (\/.+)\/\.git\/worktrees\/[^/\n]+\n?$/.exec(text)?.[1] ?? null
}

/** Whether a file or a folder is in one of them: by its name, by the folder that the name leads to, or by its own target. */
function isIn(roots: readonly string[], path: string): boolean {
  if (roots.length === 0) return false
  const paths = [path, join(realPath(dirname(path)), path.slice(dirname(path).length)), realPath(path)]
  return roots.some(root => paths.some(each => isWithin(root, each)))
}

/** It may have been deleted. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return '/'
  }
}

function foldersOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const path = platform === 'win32' ? win32 : posix
  return (valueOf(env, 'PATH', platform) ?? '').split(path.delimiter).filter(folder => path.isAbsolute(folder))
}

function withExtensions(name: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform !== 'win32' || /\.[a-z]{3}$/i.test(name)) return [name]
  const extensions = valueOf(env, 'PATHEXT', platform) ?? '.COM;.EXE;.BAT;.CMD'
  return extensions.split(';').map(extension => name + extension.toLowerCase())
}

/** Windows asks in any case (`Path`), which a copy of `process.env` has forgotten. */
function valueOf(env: NodeJS.ProcessEnv, name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return lookup(env, name)
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1]
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // A file that cannot be looked at can be neither run nor read.
    return undefined
  }
}

function examine(path: string): 'executable' | 'not executable' | 'absent' {
  if (!statsOf(path)?.isFile()) return 'absent'
  try {
    accessSync(path, constants.X_OK)
    return 'executable'
  } catch {
    return 'not executable'
  }
}
