import { bigint, boolean, inet, integer, nullable, smallint, text, timestamptz } from './columns.ts'
import { table } from './table.ts'

/** The latest calls of update clients for a domain, in two ring buffers: the owner's calls, and refused ones. */
export class UpdateCall extends table(
  'update_calls',
  {
    /** Id in `domains`, without a foreign key. */
    domain_id: bigint,
    is_refused: boolean,
    /** Its place in the ring. */
    place: smallint,
    /** Number of the call in its ring, ascending. */
    number: bigint,
    first_at: timestamptz,
    last_at: timestamptz,
    /** Number of equal consecutive calls. */
    times: integer,
    source_ip: nullable(inet),
    client: nullable(text),
    dialect: text,
    path: text,
    said: text,
    answer: text,
    hint: nullable(text),
  },
  ['domain_id', 'is_refused', 'place'],
) {}
