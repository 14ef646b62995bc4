/** Policies and requests for tests. */
import type { PermissionMode, ToolRequest } from '../../src/agent/permission.ts'
import type { FolderEntry, Place, Policy } from '../../src/permissions/policy.ts'
import { parseRule, type Rule } from '../../src/permissions/rules/rule.ts'
import type { RuleEffect } from '../../src/permissions/rules/written-rule.ts'

const project = '/home/ann/project'
const entries = new Map<string, readonly FolderEntry[]>([
  [project, [...folders('src', 'linked', 'plain', 'options'), link('link-out'), ...files('a', 'a.ts', 'a.md', '.env')]],
  [`${project}/src`, [...folders('keys'), ...files('a.ts', 'b.ts')]],
  [`${project}/src/keys`, files('id.pem')],
  [`${project}/linked`, [link('link-out'), ...files('a')]],
  [`${project}/plain`, files('a', 'b')],
  [`${project}/options`, files('-x', 'a')],
])

export const place: Place = {
  folder: '/home/ann/project',
  home: '/home/ann',
  own: ['/home/ann/.config/zotui'],
  resolve: path => path.replace(/^\/home\/ann\/project\/(?:linked\/)?link-out/, '/srv/out'),
  list: folder => entries.get(folder) ?? [],
  exists: () => false,
  tracked: () => ({ top: project, files: [] }),
  git: () => ({ reason: null, isPartial: false, programs: [], settings: [] }),
}

export function rule(effect: RuleEffect, text: unknown): Rule {
  return parseRule({ effect, text, source: 'user', place: 'config.json line 3' })
}

type Lists = Partial<Record<RuleEffect, readonly unknown[]>>

export function policy(mode: PermissionMode, lists: Lists = {}): Policy {
  const rules = (['allow', 'ask', 'deny'] as const).flatMap(effect =>
    (lists[effect] ?? []).map(text => rule(effect, text)),
  )
  return { mode, rules, place }
}

export function call(tool: string, fields: Partial<ToolRequest> = {}): ToolRequest {
  return { id: '1', callId: null, tool, kind: 'other', arguments: {}, folder: place.folder, ...fields }
}

export const bash = (command: string): ToolRequest => call('bash', { kind: 'command', command })
export const edit = (...paths: string[]): ToolRequest => call('edit', { kind: 'edit', paths })
export const read = (...paths: string[]): ToolRequest => call('read', { kind: 'read', paths })

function folders(...names: readonly string[]): FolderEntry[] {
  return names.map(name => ({ name, kind: 'folder' }))
}

function files(...names: readonly string[]): FolderEntry[] {
  return names.map(name => ({ name, kind: 'other' }))
}

function link(name: string): FolderEntry {
  return { name, kind: 'link' }
}
