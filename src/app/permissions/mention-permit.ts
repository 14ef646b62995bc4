/** Decides which mentioned files go into a prompt, by the rules for reading. */
import type { PermissionMode } from '../../agent/permission.ts'
import type { MentionPermit } from '../mentions/mention-reader.ts'
import { isWithin } from '../../platform/within.ts'
import type { PermissionOptions } from './permissions.ts'

/** Refuses what is outside of these folders: for a prompt of somebody who is not at the terminal. */
export function withinFolders(permit: MentionPermit, folders: () => readonly string[]): MentionPermit {
  return async path => {
    const { path: real, refusal } = await permit(path)
    const isInside = folders().some(folder => isWithin(folder, real))
    return { path: real, refusal: refusal ?? (isInside ? null : 'is outside of the folder') }
  }
}

/** The user has named the file, so it may be in any folder. A deny or ask rule, or a secret in it, keeps it out. */
export function createMentionPermit(
  { place, store, lookUp }: Pick<PermissionOptions, 'place' | 'store' | 'lookUp'>,
  mode: () => PermissionMode,
): MentionPermit {
  return async path => {
    const [{ decide }, { parseRules }, { pathOf }, { absolutePath }, { mayHoldSecrets }] = await Promise.all([
      import('../../permissions/decide.ts'),
      import('../../permissions/rules/rule.ts'),
      import('../../permissions/rules/call-paths.ts'),
      import('../../permissions/paths.ts'),
      import('../../permissions/secret-files.ts'),
    ])
    const { folder, home } = place
    await lookUp?.([absolutePath(path, { folder, home })])
    const { named, real } = pathOf(path, place)
    const root = pathOf('.', place)
    const own = { mode: mode(), rules: parseRules(store.rules()), place }
    const request = {
      id: '',
      callId: null,
      tool: 'read',
      kind: 'read',
      arguments: { path },
      folder,
      paths: [path],
    } as const
    const { verdict, because, rule } = decide(own, request)
    return { path: real, refusal: refusal() }

    function refusal(): string | null {
      if (verdict === 'refuse') return `may not be read: ${because}`
      const isAllowed = verdict === 'allow' && (rule !== null || own.mode === 'allow')
      if (!isAllowed && [named, real].some(mayHoldSecrets))
        return `may contain secrets; to send it, add Read(${path}) to the setting allow`
      // The user has named a file of the folder, not the target of a link, which a stranger may have made.
      const opened = (place.more ?? []).map(each => ({ named: each, real: each }))
      const roots = [root, ...opened]
      const isLinkOut =
        roots.some(each => isWithin(each.named, named)) && !roots.some(each => isWithin(each.real, real))
      if (!isAllowed && isLinkOut)
        return `is a link that points outside the folder; to send it, add Read(${path}) to the setting allow`
      return verdict === 'ask' && rule !== null ? `needs your approval: ${because}` : null
    }
  }
}
