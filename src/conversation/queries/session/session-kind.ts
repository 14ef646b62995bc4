/** The kinds of sessions. No schema: the first frame of a resumed session waits for it. */

/** The way a session began, if not on the user's screen: by `-p`, in the background, or beside the conversation on the screen. */
export const sessionKinds = ['print', 'background', 'spawned'] as const
export type SessionKind = (typeof sessionKinds)[number]

/** Whether all of its turns failed, or it has none. */
export function hasFailed({ turns, failedTurns = 0 }: { turns: number; failedTurns?: number | undefined }): boolean {
  return turns <= failedTurns
}
