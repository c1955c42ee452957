"""pyarrow, or what to install."""

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv as pa_csv
    import pyarrow.dataset as pa_dataset
    import pyarrow.fs as pa_fs
    import pyarrow.json as pa_json
    import pyarrow.parquet as pa_parquet
except ImportError as error:
    raise ImportError("this needs pyarrow: pip install 'trading-service-sdk[toolkit]'") from error

__all__ = ["pa", "pa_csv", "pa_dataset", "pa_fs", "pa_json", "pa_parquet", "pc"]
