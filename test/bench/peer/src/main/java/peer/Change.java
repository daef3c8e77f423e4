package peer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** What the join needs of one Debezium envelope, read in one pass and without a tree. One instance is reused. */
final class Change {
  static final long NO_ORIGIN = Long.MAX_VALUE;

  private final JsonFactory json = new JsonFactory();

  char op;
  long lsn;
  long ts;
  long origin;
  /** As the log itself has it: a delete leaves no row to say it. */
  private long logOrigin;
  long high;
  long low;

  void parse(byte[] value) throws IOException {
    origin = NO_ORIGIN;
    high = 1;
    low = 1;
    logOrigin = NO_ORIGIN;
    try (JsonParser in = json.createParser(value)) {
      in.nextToken();
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        JsonToken token = in.nextToken();
        switch (name) {
          case "after" -> {
            if (token == JsonToken.START_OBJECT) {
              image(in);
            }
          }
          case "source" -> source(in);
          case "op" -> op = in.getTextCharacters()[in.getTextOffset()];
          default -> in.skipChildren();
        }
      }
    }
    if (op == 'd') {
      origin = logOrigin;
      high = 1;
      low = 1;
    }
  }

  private void source(JsonParser in) throws IOException {
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      switch (name) {
        case "ts_us" -> ts = in.getLongValue();
        case "lsn" -> lsn = in.getLongValue();
        case "origin_lsn" -> logOrigin = in.currentToken() == JsonToken.VALUE_NULL ? NO_ORIGIN : in.getLongValue();
        default -> in.skipChildren();
      }
    }
  }

  /** A row's fingerprint does not depend on the order of its columns: column hashes are added. */
  private void image(JsonParser in) throws IOException {
    long a = 0;
    long b = 0;
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      JsonToken token = in.nextToken();
      if (name.equals("origin_lsn")) {
        origin = token == JsonToken.VALUE_NULL ? NO_ORIGIN : in.getLongValue();
      } else {
        char[] text = in.getTextCharacters();
        int from = in.getTextOffset();
        int to = from + in.getTextLength();
        long x = mix(name.hashCode() * 0x9E3779B97F4A7C15L + token.id());
        long y = x ^ 0xC2B2AE3D27D4EB4FL;
        for (int i = from; i < to; i++) {
          x = (x ^ text[i]) * 0x100000001B3L;
          y = (y + text[i]) * 0x9E3779B97F4A7C15L;
        }
        a += mix(x);
        b += mix(y);
      }
    }
    high = a;
    low = b;
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
