"""The programs in `/system/bin`, a family of them in each module; `registry` names them all."""
