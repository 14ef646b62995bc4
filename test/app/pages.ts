/** The pages of a program without a terminal: printed, as for a screen reader. */
import { createSpokenPages } from '../../components/pages/spoken.ts'
import { theme } from '../components/stage.ts'

export const spokenPages = createSpokenPages({ theme: () => theme, columns: () => 80 })
