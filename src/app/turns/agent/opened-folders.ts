/** The folders that the user has opened to the agent: passes those of the conversation to it, if they may still be opened. */
import { sentence } from '../../../text/sentence.ts'
import type { AppContext } from '../../context/context.ts'
import { foldersChanged } from '../../events/snapshot.ts'

type FoldersContext = Pick<AppContext, 'backend' | 'state' | 'host' | 'report' | 'addNotice' | 'now'>

/** Passes nothing where another process holds the agent, and has passed its own. Never rejects. */
export async function passFolders({ backend, state, host, report, addNotice, now }: FoldersContext): Promise<void> {
  if (backend.holder) return
  const { folders } = state().chat
  // At once, since it may belong to another conversation now.
  if (folders.length === 0) return void (await backend.setFolders([]))
  const open: string[] = []
  const closed: string[] = []
  for (const folder of folders) {
    const opened = await host?.openFolder?.(folder)
    // Another folder may be at its place now.
    if (opened?.ok && opened.path === folder) open.push(folder)
    else closed.push(`${folder} ${opened?.ok === false ? opened.reason : 'is another folder now'}`)
  }
  const reply = await backend.setFolders(open)
  if (!reply.ok) await backend.setFolders([])
  const kept = reply.ok ? open : []
  if (kept.length < folders.length) report([foldersChanged(kept, now())])
  if (!reply.ok && open.length > 0)
    addNotice('warn', `The folders that you opened with /add-dir are closed: ${sentence(reply.message)}`)
  if (reply.ok && reply.value !== null && open.length > 0)
    addNotice(
      'warn',
      `The folders that you opened hold from the next start of ${backend.name} on: ${sentence(reply.value)}`,
    )
  for (const words of closed) addNotice('warn', `A folder that you opened is closed: ${words}.`)
}
