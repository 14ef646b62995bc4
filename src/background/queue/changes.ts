/** Carries out what an attached program asks of the queue. */
import type { QueueChange, QueueReply } from '../../agent/held-queue.ts'
import type { AttachedProgram } from './entries.ts'
import type { HeldPrompts } from './held-prompts.ts'

export async function changeQueue(queue: HeldPrompts, change: QueueChange, by: AttachedProgram): Promise<QueueReply> {
  switch (change.do) {
    case 'add':
      queue.add(change.entry, by, change.how)
      return queue.reply(true)
    case 'take':
      return replyWith(queue.takeOut(change.id))
    case 'edit':
      return replyWith(queue.edit(change.id, by))
    case 'put_back':
      return queue.reply(queue.putBack(by, change.entry))
    case 'replace':
      return queue.reply(queue.replace(change.entry))
    case 'send_now':
      queue.sendNow(change.entry, by)
      return queue.reply(true)
    case 'send':
      return queue.reply(queue.send(change.id))
    case 'go_on':
      queue.goOn()
      return queue.reply(true)
    case 'pause':
      queue.pause()
      return queue.reply(true)
    case 'steer':
      queue.steer(change.entry, by)
      return queue.reply(true)
    case 'take_steer':
      return replyWith(await queue.takeSteer())
    case 'ran':
      queue.ran(change.id, by, change.isBack)
      return queue.reply(true)
  }

  function replyWith(entry: QueueReply['entry']): QueueReply {
    return queue.reply(entry !== null, entry)
  }
}
