/** Reads the files that prompts mention, as far as the rules permit. */
import type { AppContext } from '../context/context.ts'
import { machineFiles } from '../mentions/machine-files.ts'
import { createMentionReader, noMentions, type MentionReader } from '../mentions/mention-reader.ts'
import { createMentionPermit, withinFolders } from './mention-permit.ts'
import { withFolders } from './judge.ts'
import type { PermissionOptions } from './permissions.ts'

/** Without permissions nothing is read. */
export function createMentions(
  { host, state, settings }: Pick<AppContext, 'host' | 'state' | 'settings'>,
  options: PermissionOptions | null,
): MentionReader {
  if (!host || !options) return noMentions
  const place = withFolders(options.place, () => state().chat.folders)
  const permit = createMentionPermit({ ...options, place }, () => state().chat.permissionMode ?? 'ask')
  const permitOutside = withinFolders(permit, () => [place.folder, ...(place.more ?? [])].map(place.resolve))
  return createMentionReader({ ...machineFiles(host.remote), permit, permitOutside, limits: settings.values })
}
