import { serveThread } from '../jobs/thread-serve.ts'
import { testTasks } from './thread-tasks.ts'

serveThread(testTasks)
