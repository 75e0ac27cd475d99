import { type Environment, pickVariables } from '../config/variables.ts'

/**
 * The variables that the operating system, Node, OpenSSL and the C library read. None of them contains
 * a secret. PG* is left out: only the database URLs describe connections.
 */
const SYSTEM_VARIABLES = `
  PATH HOME USER LOGNAME SHELL TMPDIR LD_LIBRARY_PATH LD_PRELOAD
  TZ LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME
  TERM COLORTERM NO_COLOR FORCE_COLOR
  NODE_OPTIONS NODE_COMPILE_CACHE NODE_DEBUG NODE_ICU_DATA NODE_V8_COVERAGE
  NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA SSL_CERT_FILE SSL_CERT_DIR
  UV_THREADPOOL_SIZE MALLOC_ARENA_MAX`
  .trim()
  .split(/\s+/)

/** The environment of a child process that reads none of Homing's variables. */
export function systemEnvironment(environment: Environment = process.env): NodeJS.ProcessEnv {
  return { ...pickVariables(environment, SYSTEM_VARIABLES) }
}
