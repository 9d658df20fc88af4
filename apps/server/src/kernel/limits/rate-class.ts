/**
 * Classes in which requests are counted. `stop` is for stopping and revoking, and for what undoes a lockout: it is
 * counted by caller and apart from all else, so that nobody's calls keep an administrator from it.
 */
export type RateClass = 'api' | 'inference' | 'expensive' | 'credential' | 'stop'
