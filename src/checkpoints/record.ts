/** The stored form of a checkpoint: a commit without parents, whose message is JSON. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../text/json.ts'
import { answerOf, type Shadow } from './shadow.ts'

/** The author of the changes since the previous checkpoint: `restore` is zotui itself. */
const authors = ['user', 'agent', 'restore'] as const
export type ChangeAuthor = (typeof authors)[number]

const schema = z.object({
  version: z.literal(1),
  /** Milliseconds since the Unix epoch. */
  at: z.number(),
  by: z.enum(authors),
  /** The session, and a label: the beginning of a prompt. */
  session: z.string().nullable(),
  label: z.string(),
  /** Modes that git does not keep, by path. */
  modes: z.record(z.string(), z.number()),
  /** Files that could not be kept. */
  left: z.array(z.string()),
  /** Ignore rules that were not in the folder. */
  rules: z.string(),
  /** For `restore`: the checkpoint that was restored, and that of the files before it. */
  restored: z.object({ id: z.string(), undo: z.string() }).nullable(),
  /** The checkpoints of opened folders that belong to this one, each by where its files are. */
  folders: z.array(z.object({ root: z.string(), id: z.string() })).optional(),
  /**
   * Set while a restore writes files, which it may be killed at: the intent. It leads from the tree of this checkpoint to that of
   * `restored.id`, without these paths. When the restore ends, a checkpoint without it takes its place.
   */
  begun: z.object({ kept: z.array(z.string()) }).optional(),
})

export type CheckpointFacts = z.infer<typeof schema>
export type CheckpointLink = NonNullable<CheckpointFacts['folders']>[number]
export type Checkpoint = CheckpointFacts & { id: string; tree: string }

const REFS = 'refs/checkpoints'
/** A valid id. It cannot name another ref. */
const ID = /^\d{8}-\d{6}-[\da-f]{6}$/

const isCheckpointId = (text: string): boolean => ID.test(text)

/** Stores a checkpoint atomically. */
export async function store({ git }: Shadow, tree: string, facts: CheckpointFacts): Promise<Checkpoint> {
  const id = idOf(facts.at)
  const message = Buffer.from(JSON.stringify(facts))
  const commit = (await answerOf(git(['commit-tree', tree, '-F', '-'], undefined, message))).toString().trim()
  await answerOf(git(['update-ref', `${REFS}/${id}`, commit]))
  return { ...facts, id, tree }
}

/** All checkpoints, oldest first. Damaged ones are left out. */
export async function readAll({ git }: Shadow): Promise<Checkpoint[]> {
  const format = '--format=%(refname:lstrip=2)%00%(tree)%00%(contents)%00'
  const fields = (await answerOf(git(['for-each-ref', format, REFS]))).toString().split('\0')
  const found: Checkpoint[] = []
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [id = '', tree = '', message = ''] = fields.slice(at, at + 3)
    const facts = schema.safeParse(parseJson(message))
    if (facts.success && isCheckpointId(id.trim())) found.push({ ...facts.data, id: id.trim(), tree })
  }
  return found.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
}

export async function remove({ git }: Shadow, ids: readonly string[]): Promise<void> {
  const lines = ids.filter(isCheckpointId).map(id => `delete ${REFS}/${id}\n`)
  if (lines.length > 0) await answerOf(git(['update-ref', '--stdin'], undefined, Buffer.from(lines.join(''))))
}

function idOf(at: number): string {
  const [day = '', time = ''] = new Date(at).toISOString().replaceAll(/[-:]/g, '').split('T')
  return `${day}-${time.slice(0, 6)}-${randomBytes(3).toString('hex')}`
}
