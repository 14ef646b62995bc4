/** Follows the workers of a task, if the server supports that. */
import type { AgentEvent } from '../../agent/event.ts'
import type { RozStreams, TeamWatch } from './stream.ts'
import { createRozTeam, type RozTeam } from './turn/team.ts'

export type TeamWatching = {
  readonly team: RozTeam | null
  /** Follows this task from now on, in the place of another. */
  follow(taskId: string): void
  end(): void
}

export type TeamWatchOptions = {
  streams: RozStreams
  isInTurn: () => boolean
  now: () => number
  emit: (event: AgentEvent) => void
  debug: (message: string) => void
  newId: () => string
}

export function createTeamWatch({ streams, isInTurn, now, emit, debug, newId }: TeamWatchOptions): TeamWatching {
  let team: RozTeam | null = null
  let watch: TeamWatch | null = null

  const watching: TeamWatching = {
    get team() {
      return team
    },
    follow(taskId) {
      if (team?.taskId === taskId) return
      watching.end()
      const followed = createRozTeam(taskId, newId)
      team = followed
      if (isInTurn()) emitAll(followed.begin(now()))
      watch = streams.watchTeam(taskId, event => {
        if (team === followed) emitAll(followed.event(event, now()))
      })
      // Many servers have no teams.
      void watch.ended.then(({ details }) => debug(`no more events of the team of ${taskId}: ${details}`))
    },
    end() {
      watch?.cancel()
      watch = null
      if (team && isInTurn()) emitAll(team.end(now()))
      team = null
    },
  }
  return watching

  function emitAll(events: readonly AgentEvent[]): void {
    for (const each of events) emit(each)
  }
}
