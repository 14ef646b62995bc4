/**
 * A template of a place to work in, which the person has written: `containers/NAME.yaml` or `jobs/NAME.yaml` in the folder of their own
 * settings. A project has none: a template names images that run and folders that are given to them.
 */
import { closeSync, fstatSync, lstatSync, readdirSync, writeFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { z } from 'zod'
import { codeOf, messageOf, UserError } from '../platform/errors.ts'
import { makeFolder } from '../platform/folders.ts'
import { openRegularFileSync, readRegularFile, UnreadableFile } from '../platform/regular-file.ts'
import { sentence } from '../text/sentence.ts'
import { nearest } from '../text/spelling/nearest.ts'

export type TemplateKind = {
  /** The folder of the templates, below that of the person's settings. */
  folder: 'containers' | 'jobs'
  /** The command that writes one, without its name: `zotui container template`. */
  writer: string
}

export type Template<Values> = {
  name: string
  path: string
  values: Values
  /** A fault of it, found later. `at` is the way to the value that is wrong. */
  fault: (at: readonly PropertyKey[], words: string) => UserError
}

/** A template is written by hand. */
const MOST_BYTES = 256 * 1024
/** A template names itself in names of containers and Jobs, which allow no other characters. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/
const OTHERS_WRITE = 0o022

/** Whether a template can have this name. */
export function isTemplateName(name: string): boolean {
  return NAME.test(name)
}

function templatePath(configFolder: string, { folder }: TemplateKind, name: string): string {
  return join(configFolder, folder, `${name}.yaml`)
}

/** The names of the templates that are there, in order. Never throws. */
export function templateNames(configFolder: string, { folder }: TemplateKind): string[] {
  try {
    const names = readdirSync(join(configFolder, folder)).filter(each => each.endsWith('.yaml'))
    return names
      .map(each => each.slice(0, -'.yaml'.length))
      .filter(isTemplateName)
      .toSorted()
  } catch {
    return []
  }
}

/**
 * Reads a template and checks it.
 *
 * @throws UserError with exit code 2 that names the file and the line of the first fault.
 */
export async function readTemplate<Schema extends z.ZodType>(
  configFolder: string,
  kind: TemplateKind,
  name: string,
  schema: Schema,
): Promise<Template<z.output<Schema>>> {
  if (!isTemplateName(name)) throw usage(`"${name}" is no name of a template`, NAMES)
  const path = templatePath(configFolder, kind, name)
  const text = await textOf(path, configFolder, kind, name)
  const { isNode, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  // Aliases could make a small file a large one.
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', uniqueKeys: true })
  const [broken] = document.errors
  if (broken) {
    const [first = ''] = broken.message.split('\n')
    throw usage(`${path}:${lines.linePos(broken.pos[0]).line}: ${first.replace(/ at line \d+, column \d+:?$/, '')}`)
  }
  const lineOf = (at: readonly PropertyKey[]): number => {
    for (let end = at.length; end >= 0; end--) {
      const node = end === 0 ? document.contents : document.getIn(at.slice(0, end), true)
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
    }
    return 1
  }
  const fault = (at: readonly PropertyKey[], words: string): UserError => {
    const way = at.map(String).join('.')
    return usage(`${path}:${lineOf(at)}: ${way === '' ? '' : `${way}: `}${words}`)
  }
  const checked = schema.safeParse(valueOf(document, path))
  if (checked.success) return { name, path, values: checked.data, fault }
  const [issue] = checked.error.issues
  const at = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : (issue?.path ?? [])
  throw fault(at, issue?.code === 'unrecognized_keys' ? 'there is no such key' : (issue?.message ?? 'is not valid'))
}

/**
 * Writes a template to begin with. Returns its path.
 *
 * @throws UserError with exit code 2 where there is one of that name.
 */
export function writeTemplate(configFolder: string, kind: TemplateKind, name: string, text: string): string {
  if (!isTemplateName(name)) throw usage(`"${name}" is no name of a template`, NAMES)
  const path = templatePath(configFolder, kind, name)
  try {
    makeFolder(join(configFolder, kind.folder))
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
    return path
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw usage(`there is a template ${name} already: ${path}`, 'Nothing was changed.')
    throw usage(`${path} cannot be written: ${messageOf(error)}`)
  }
}

const NAMES = 'A name has small letters, digits and dashes, at most 40.'

function valueOf(document: { toJS: (options: { maxAliasCount: number }) => unknown }, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    throw usage(`${path}: ${messageOf(error)}`)
  }
}

async function textOf(path: string, configFolder: string, kind: TemplateKind, name: string): Promise<string> {
  const around = lstatSync(join(configFolder, kind.folder), { throwIfNoEntry: false })
  if (around === undefined || lstatSync(path, { throwIfNoEntry: false }) === undefined)
    throw missing(path, configFolder, kind, name)
  const folderFault = around.isDirectory() ? strangeness(around) : 'is no folder'
  if (folderFault !== null) throw usage(`${join(configFolder, kind.folder)} ${folderFault}`, WHOSE)
  const read = await readRegularFile(path, MOST_BYTES, openOwn)
  if (!read.ok) throw usage(`${path} ${read.reason}`, WHOSE)
  return read.bytes.toString('utf8')
}

const WHOSE = 'zotui reads only templates that you alone can change.'

/** Opens a file of the person's own, and no link: whoever can change a template decides what runs. */
function openOwn(path: string, limit?: number): number {
  const named = lstatSync(path)
  if (named.isSymbolicLink()) throw new UnreadableFile(path, 'is a link')
  const file = openRegularFileSync(path, limit)
  const opened = fstatSync(file)
  const isSame = opened.ino === named.ino && opened.dev === named.dev
  const strange = isSame ? strangeness(opened) : 'was replaced while it was read'
  if (strange === null) return file
  closeSync(file)
  throw new UnreadableFile(path, strange)
}

function strangeness({ uid, mode }: Stats): string | null {
  const user = process.geteuid?.()
  if (user === undefined) return null
  if (uid !== user) return 'belongs to another user'
  return (mode & OTHERS_WRITE) === 0 ? null : 'can be changed by other users'
}

function missing(path: string, configFolder: string, kind: TemplateKind, name: string): UserError {
  const names = templateNames(configFolder, kind)
  const near = nearest(name, names)
  const hint =
    near !== null
      ? `Did you mean ${near}?`
      : names.length > 0
        ? `There ${names.length === 1 ? 'is' : 'are'}: ${names.join(', ')}.`
        : `\`${kind.writer} ${name}\` writes one.`
  return usage(`there is no template ${name}: ${path} does not exist`, hint)
}

function usage(reason: string, hint = ''): UserError {
  return new UserError(sentence(reason), hint, 2)
}
