/** Entry point of the threads of the server of `lanes.mjs`: the program's tasks and its simulation. */
import { removeProtoAccessor } from '../../apps/server/src/kernel/base/harden.ts'
import { serveThread } from '../../apps/server/src/kernel/threads/thread-serve.ts'
import { threadTasks } from '../../apps/server/src/thread-tasks.ts'
import { simulateYears } from './simulation.ts'

removeProtoAccessor()
serveThread([...threadTasks, simulateYears])
