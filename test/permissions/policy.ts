/** Policies and requests for tests. */
import type { PermissionMode, ToolRequest } from '../../src/agent/permission.ts'
import type { Place, Policy } from '../../src/permissions/policy.ts'
import { parseRule, type Rule } from '../../src/permissions/rules/rule.ts'
import type { RuleEffect } from '../../src/permissions/rules/written-rule.ts'

export const place: Place = {
  folder: '/home/ann/project',
  home: '/home/ann',
  own: ['/home/ann/.config/zotui'],
  resolve: path => path.replace('/home/ann/project/link-out', '/srv/out'),
  exists: () => false,
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
