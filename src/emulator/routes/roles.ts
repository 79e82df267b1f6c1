import { answerPage } from '../answer-page.ts';
import { roleListing } from '../roles-store.ts';
import type { Handler } from '../route-context.ts';

/** GET /roles: the roles of the instance (specification, GET /roles). */
export const listRoles: Handler<'listRoles'> = (context) => answerPage(context, roleListing);
