import { serveThread } from '../threads/thread-serve.ts'
import { testTasks } from './thread-tasks.ts'

serveThread(testTasks)
