-- SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
-- SPDX-License-Identifier: Apache-2.0
-- Is the figure slower, with no known bug that the build has and the baseline has not?
-- 0 or 1; NULL: stored before this column existed.
ALTER TABLE throughput ADD COLUMN surprise INTEGER;
