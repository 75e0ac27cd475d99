import { bigint, boolean, inet, integer, nullable, smallint, text, timestamptz } from './columns.ts'
import { table } from './table.ts'

/** The last calls that update clients made for a domain, in two rings of rows: the owner's, and refused ones. */
export class UpdateCall extends table(
  'update_calls',
  {
    /** A domain of `domains`, without a foreign key. */
    domain_id: bigint,
    is_refused: boolean,
    /** Its place in the ring. */
    place: smallint,
    /** Calls of a ring count up. */
    number: bigint,
    first_at: timestamptz,
    last_at: timestamptz,
    /** How many calls in a row were the same. */
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
