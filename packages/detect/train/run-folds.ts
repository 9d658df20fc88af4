import { fork } from 'node:child_process'
import type { FoldAnswer, FoldTask } from './fold-worker.ts'

/** Trains and reads folds in a process of its own. */
export function runFolds(task: FoldTask, take: (answer: FoldAnswer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./fold-worker.ts', import.meta.url), {
      execArgv: ['--import', 'tsx', '--max-old-space-size=6000'],
      serialization: 'advanced',
    })
    child.on('message', (answers) => {
      for (const answer of answers as FoldAnswer[]) take(answer)
    })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a training process ended with ${code}`))))
    child.send(task)
  })
}
