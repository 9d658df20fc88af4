import { removeProtoAccessor } from './kernel/harden.ts'
import { serveThread } from './kernel/jobs/thread-serve.ts'
import { threadTasks } from './thread-tasks.ts'

removeProtoAccessor()
serveThread(threadTasks)
