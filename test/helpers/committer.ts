/** Arguments of a git that commits for a test: as somebody, and without looking for garbage after each commit. */
export const COMMITTER = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'maintenance.auto=false']
