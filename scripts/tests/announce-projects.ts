import type { TestProject } from 'vitest/node'
import { projectNames } from './projects.ts'

/** Says before the first test which projects this run leaves out. */
export default function announceProjects({ vitest }: TestProject): void {
  const running = new Set(vitest.projects.map(({ name }) => name))
  const left = projectNames.filter((name) => !running.has(name))
  if (left.length === 0) return
  const names = left.join(' and ')
  process.stdout.write(
    `This run leaves out the ${left.length === 1 ? 'project' : 'projects'} ${names}: npm run test:all runs everything.\n`,
  )
}
